/* real_run.js -- the part of the page that runs weft for real: it asks the server (`weft lab`) for a
 * crawl of the sample site and draws each request as it begins and ends.
 *
 * It knows the server's interface and its own element. It knows nothing of the lessons and the
 * simulators, and decides nothing about a crawl: all times and lanes come from the server. */
(function () {
  "use strict";

  const weftPage = window.weftPage = window.weftPage || {};

  const ENGINES = {
    sync: {title: "sync", lane: "fetch", about: "one request after another, on one thread"},
    threads: {title: "threads", lane: "worker", about: "a pool of workers; each lane is one thread"},
    events: {title: "events", lane: "slot", about: "an event loop; all lanes are one thread"},
  };
  const FIGURES = [
    ["jobs", "At once, at most", (run) => String(run.jobs)],
    ["delay", "Each answer held", (run) => run.delayMs + " ms"],
    ["pages", "Pages fetched", (run) => String(run.done.pages)],
    ["errors", "Pages that failed", (run) => String(run.done.errors)],
    ["requests", "Requests", (run) => String(run.requests.length)],
    ["wall", "Wall time", (run) => seconds(run.done.wall_ms)],
    ["peak", "Most at once, as the server saw it", (run) => String(run.done.in_flight_peak)],
    ["threads", "Threads at work", (run) => String(run.done.threads)],
  ];
  const FIRST_SCALE_MS = 400; // what a timeline shows before there is more to show
  const MANY_LANES = 16;      // beyond, lanes are thin, and shown once they are used
  const MOST_FAILURES = 5;    // of a connection that is tried again by itself

  // ---- small helpers ----

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  }

  function seconds(ms) {
    return (ms / 1000).toFixed(2) + " s";
  }

  function plural(n, word) {
    return n + " " + word + (n === 1 ? "" : "s");
  }

  // The distance of marks on an axis of so many milliseconds: 1, 2 or 5 times a power of ten.
  function tickOf(scale) {
    const rough = scale / 4;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  }

  // ---- one engine's timeline ----

  // Bars lie at percentages of a scale in milliseconds, which grows with the run.
  class Timeline {
    constructor(engine) {
      this.engine = engine;
      this.lanes = make("div", {class: "run-lanes"});
      this.axis = make("div", {class: "run-axis", "aria-hidden": "true"});
      this.caption = make("figcaption", {class: "run-caption"});
      this.rows = make("tbody");
      this.figure = make("figure", {class: "run-figure", "data-engine": engine, "data-state": "idle"},
        this.caption,
        make("div", {class: "run-chart", "aria-hidden": "true"}, this.lanes, this.axis),
        make("details", {class: "run-requests"},
          make("summary", {}, "Every request as a table"),
          make("div", {class: "run-scroll", tabindex: "0", role: "region",
            "aria-label": "Requests of the run with " + engine},
          make("table", {},
            make("caption", {}, "Requests of the run with " + engine + ", in the order they began"),
            make("thead", {}, make("tr", {},
              ...["Lane", "Path", "Began", "Took", "Answer"].map((name) =>
                make("th", {scope: "col"}, name)))),
            this.rows))));
    }

    // The run begins, or is told again from its beginning. scale is what it begins with.
    begin(run, scale) {
      this.run = run;
      this.scale = 0;
      this.bars = [];
      this.tracks = [];
      this.lanes.replaceChildren();
      this.rows.replaceChildren();
      this.figure.dataset.state = "running";
      const dense = run.jobs > MANY_LANES;
      this.lanes.classList.toggle("run-dense", dense);
      const word = ENGINES[this.engine].lane;
      for (let i = 0; i < run.jobs; i++) {
        const track = make("div", {class: "run-track"});
        const name = word === "fetch" ? word : word + " " + i;
        const lane = make("div", {class: "run-lane", "data-lane": i},
          make("span", {class: "run-name"}, name), track);
        lane.hidden = dense;
        this.lanes.append(lane);
        this.tracks.push(track);
      }
      this.stretch(Math.max(FIRST_SCALE_MS, scale));
      this.tell();
    }

    // Shows a lane, and names every eighth of the thin ones that are shown.
    show(lane) {
      if (!lane.hidden) {
        return;
      }
      lane.hidden = false;
      [...this.lanes.children].filter((one) => !one.hidden).forEach((one, i) => {
        one.classList.toggle("run-unnamed", i % 8 !== 0);
      });
    }

    add(request) {
      this.show(this.lanes.children[request.lane]);
      const bar = make("div", {class: "run-bar", "data-outcome": "going", title: request.path});
      const cells = ["", "", "", "", "\u2026"].map((text) => make("td", {}, text));
      cells[0].textContent = request.lane;
      cells[1].textContent = request.path;
      cells[2].textContent = Math.round(request.from) + " ms";
      this.bars.push({bar, cells, request});
      this.tracks[request.lane].append(bar);
      this.rows.append(make("tr", {}, ...cells));
      this.place(this.bars[this.bars.length - 1], request.from);
    }

    end(request) {
      const {bar, cells} = this.bars[request.id];
      const answer = request.status ? request.status + " " + request.outcome : request.outcome;
      const took = Math.round(request.until - request.from) + " ms";
      bar.dataset.outcome = request.outcome;
      bar.title = request.path + ": " + answer + ", " + took;
      if (request.outcome === "failed") {
        bar.append(make("span", {}, String(request.status || "!")));
      }
      cells[3].textContent = took;
      cells[4].textContent = answer;
      this.place(this.bars[request.id], request.until);
    }

    place({bar, request}, now) {
      const until = request.until === undefined ? now : request.until;
      bar.style.left = 100 * request.from / this.scale + "%";
      bar.style.width = 100 * Math.max(until - request.from, 0) / this.scale + "%";
    }

    // Makes the scale at least so many milliseconds long.
    stretch(scale) {
      if (scale <= this.scale) {
        return;
      }
      this.scale = scale;
      for (const bar of this.bars) {
        this.place(bar, bar.request.from);
      }
      const tick = tickOf(scale);
      const marks = [];
      for (let ms = 0; ms <= scale; ms += tick) {
        const mark = make("span", {class: "run-mark"}, tick < 100 ? ms + " ms" : ms / 1000 + " s");
        mark.style.left = 100 * ms / scale + "%";
        marks.push(mark);
      }
      this.axis.replaceChildren(...marks);
    }

    // Shows the run as it stands so many milliseconds after its start.
    draw(now) {
      if (now > this.scale) {
        this.stretch(now * 1.25);
      }
      for (const bar of this.bars) {
        if (bar.request.until === undefined) {
          this.place(bar, now);
        }
      }
      this.tell();
    }

    tell() {
      const run = this.run;
      const ended = run.requests.filter((request) => request.until !== undefined).length;
      let text = plural(ended, "request") + " ended, " + (run.requests.length - ended) + " in flight";
      if (run.done) {
        text = plural(run.done.pages, "page") + " in " + seconds(run.done.wall_ms) + this.lanesUsed();
      } else if (run.error) {
        text = run.error;
      }
      this.caption.textContent = ENGINES[this.engine].title + " (" +
        ENGINES[this.engine].about + "): " + text;
    }

    // How many of many lanes had something to do.
    lanesUsed() {
      const used = [...this.lanes.children].filter((lane) => !lane.hidden).length;
      return used < this.run.jobs ? "; " + used + " of " + this.run.jobs + " lanes were used" : "";
    }

    finish(now) {
      this.figure.dataset.state = this.run.done ? "done" : "failed";
      this.scale = 0;
      this.stretch(Math.max(now, 1));
      this.tell();
    }
  }

  // ---- talking to the server ----

  // Starts a run and gives its number; if one is going on already, that one's, and that it is
  // somebody else's.
  async function start(ask) {
    let response, answer;
    try {
      response = await fetch("api/run", {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify(ask),
      });
      answer = await response.json();
    } catch (error) {
      throw new Error("The server does not answer. Is weft lab still running?");
    }
    if (!answer.run) {
      throw new Error(answer.error);
    }
    return {number: answer.run, others: !response.ok};
  }

  function stop(number) {
    // If it can't be told, the run ends by itself, and the stream says so.
    fetch("api/run/" + number, {method: "DELETE"}).catch(() => {});
  }

  // Follows a run to its end: calls see(name, data) for every event. A stream that broke off is
  // opened again by the browser, and tells the run from its beginning.
  function follow(number, see) {
    return new Promise((resolve, reject) => {
      const stream = new EventSource("api/run/" + number + "/events");
      let failures = 0;
      for (const name of ["start", "begin", "end", "done", "failed"]) {
        stream.addEventListener(name, (event) => {
          see(name, JSON.parse(event.data));
          if (name === "done" || name === "failed") {
            stream.close();
            resolve();
          }
        });
      }
      stream.addEventListener("error", () => {
        failures++;
        if (stream.readyState === EventSource.CLOSED || failures > MOST_FAILURES) {
          stream.close();
          reject(new Error("The connection to the server is lost. Is weft lab still running?"));
        }
      });
    });
  }

  // ---- one run, from the button to its end ----

  // What the events of a run add up to.
  function newRun(data) {
    return {jobs: data.jobs, delayMs: data.delay_ms, requests: [], lastMs: 0};
  }

  function takeEvent(run, name, data) {
    if (name === "begin") {
      run.requests[data.id] = {id: data.id, lane: data.lane, path: data.path, from: data.ms};
      run.lastMs = data.ms;
    } else if (name === "end") {
      const request = run.requests[data.id];
      request.until = data.ms;
      request.status = data.status;
      request.outcome = data.outcome;
      run.lastMs = data.ms;
    } else if (name === "done") {
      run.done = data;
    } else if (name === "failed") {
      run.error = data.error;
    }
  }

  // Draws a run while it goes on, frame by frame; with reduced motion, at its events alone.
  class Player {
    // open(engine) gives the timeline of an engine and what scale it begins with.
    constructor(open) {
      this.open = open;
      this.offset = Infinity; // of the server's milliseconds to this clock
      this.calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    }

    see(name, data) {
      if (name === "start") {
        this.run = newRun(data);
        this.engine = data.engine;
        const {timeline, scale} = this.open(data.engine);
        this.timeline = timeline;
        timeline.begin(this.run, scale);
        this.frame();
        return;
      }
      if (!this.run) {
        this.refusal = data.error; // it failed before it began
        return;
      }
      takeEvent(this.run, name, data);
      if (name === "begin" || name === "end") {
        this.offset = Math.min(this.offset, performance.now() - data.ms);
        this.timeline.draw(data.ms);
        this.timeline[name === "begin" ? "add" : "end"](this.run.requests[data.id]);
      } else {
        this.timeline.finish(this.run.done ? this.run.done.wall_ms : this.run.lastMs);
      }
    }

    frame() {
      if (this.over || this.run.done || this.run.error) {
        return;
      }
      const now = this.offset === Infinity ? 0 : performance.now() - this.offset;
      this.timeline.draw(this.calm ? this.run.lastMs : now);
      window.requestAnimationFrame(() => this.frame());
    }

    // Nothing more will come.
    end(message) {
      this.over = true;
      if (this.run && !this.run.done && !this.run.error) {
        this.run.error = message;
        this.timeline.finish(this.run.lastMs);
      }
    }
  }

  // ---- the section ----

  function field(label, input) {
    return make("label", {class: "run-field"}, make("span", {}, label), input);
  }

  class RealRun {
    constructor(element) {
      this.engine = make("select", {class: "run-engine", name: "engine"},
        ...Object.keys(ENGINES).map((name) => make("option", {value: name}, name)));
      this.engine.value = "threads";
      this.jobs = make("input", {class: "run-jobs", name: "jobs", type: "number", min: "1", max: "64",
        step: "1", value: "8", required: ""});
      this.delay = make("input", {class: "run-delay", name: "delay", type: "number", min: "0",
        max: "1000", step: "1", value: "100", required: ""});
      this.run = make("button", {type: "submit", class: "run-start"}, "Run");
      this.both = make("button", {type: "button", class: "run-both"}, "Run threads, then events");
      this.halt = make("button", {type: "button", class: "run-stop", disabled: ""}, "Stop");
      this.status = make("p", {class: "run-status", role: "status", "aria-live": "polite"});
      this.form = make("form", {class: "run-form"},
        field("Engine", this.engine), field("Fetches at once", this.jobs),
        field("Hold each answer (ms)", this.delay),
        make("div", {class: "run-buttons"}, this.run, this.both, this.halt));
      this.figures = make("div", {class: "run-figures"});
      this.legend = makeLegend();
      this.table = make("div", {class: "run-results"});
      this.timelines = {};
      element.append(this.form, this.status, this.legend, this.figures, this.table, makeHints());
      this.listen();
    }

    listen() {
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.go([this.engine.value]);
      });
      this.both.addEventListener("click", () => {
        if (this.form.reportValidity()) {
          this.go(["threads", "events"]);
        }
      });
      this.halt.addEventListener("click", () => {
        this.stopped = true;
        stop(this.number);
      });
    }

    // Runs these engines one after another, until one does not come to its end.
    async go(engines) {
      const ask = {jobs: Number(this.jobs.value), delay_ms: Number(this.delay.value)};
      this.stopped = false;
      this.busy(true);
      for (const engine of engines) {
        if (this.stopped || !await this.one({engine, ...ask})) {
          break;
        }
      }
      this.busy(false);
    }

    // The keyboard's place moves on to Stop, and comes back: a disabled button would lose it.
    busy(is) {
      const here = document.activeElement;
      this.run.disabled = this.both.disabled = this.halt.disabled = false;
      if (is && (here === this.run || here === this.both)) {
        this.back = here;
        this.halt.focus();
      } else if (!is && here === this.halt) {
        (this.back || this.run).focus();
      }
      this.run.disabled = this.both.disabled = is;
      this.halt.disabled = !is;
    }

    async one(ask) {
      const player = new Player((engine) =>
        ({timeline: this.timeline(engine), scale: this.longest(engine)}));
      let others;
      try {
        ({number: this.number, others} = await start(ask));
        if (this.stopped) {
          stop(this.number); // Stop was pressed before the run had a number
        }
        this.say(others ? "A run was going on already; this is it." : ask.engine + " runs.");
        await follow(this.number, (name, data) => player.see(name, data));
      } catch (error) {
        player.end(error.message);
        this.say(error.message);
        return false;
      }
      this.tellResults();
      this.say(this.conclusion(player));
      return !others && Boolean(player.run && player.run.done);
    }

    say(text) {
      this.status.textContent = text;
    }

    timeline(engine) {
      if (!this.timelines[engine]) {
        this.timelines[engine] = new Timeline(engine);
        const order = Object.keys(ENGINES).filter((name) => this.timelines[name]);
        this.figures.replaceChildren(...order.map((name) => this.timelines[name].figure));
      }
      this.legend.hidden = false;
      return this.timelines[engine];
    }

    // The last run of each engine that came to its end.
    results() {
      return Object.keys(ENGINES)
        .map((engine) => ({engine, run: this.timelines[engine] && this.timelines[engine].run}))
        .filter(({run}) => run && run.done);
    }

    // The longest of the results, but for this engine's, in milliseconds.
    longest(but) {
      return Math.max(0, ...this.results().filter(({engine}) => engine !== but)
        .map(({run}) => run.done.wall_ms));
    }

    tellResults() {
      const results = this.results();
      // Finished timelines share one scale, so that lengths can be compared.
      for (const {engine} of results) {
        this.timelines[engine].scale = 0;
        this.timelines[engine].stretch(this.longest());
      }
      const rows = FIGURES.map(([name, title, value]) =>
        make("tr", {"data-figure": name}, make("th", {scope: "row"}, title),
          ...results.map(({engine, run}) => make("td", {"data-engine": engine}, value(run)))));
      this.table.replaceChildren(...(results.length === 0 ? [] : [
        make("table", {},
          make("caption", {}, "What the last run of each engine came to"),
          make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "Figure"),
            ...results.map(({engine}) => make("th", {scope: "col"}, engine)))),
          make("tbody", {}, ...rows))]));
    }

    // The last run in a sentence; beside another engine's with the same setting, if there is one.
    conclusion({engine, run, refusal}) {
      if (!run) {
        return "The run could not begin: " + refusal + ".";
      }
      if (!run.done) {
        return engine + " ended: " + run.error + ".";
      }
      const outcome = (name, one) => name + " took " + seconds(one.done.wall_ms) + " for " +
        plural(one.done.pages, "page") + " on " + plural(one.done.threads, "thread");
      const other = this.results().find((result) => result.engine !== engine &&
        result.engine !== "sync" && result.run.jobs === run.jobs && result.run.delayMs === run.delayMs);
      return other ? outcome(other.engine, other.run) + "; " + outcome(engine, run) + "."
                   : outcome(engine, run) + ".";
    }
  }

  function makeLegend() {
    const words = {going: "in flight", fetched: "fetched", redirect: "a redirect",
      failed: "failed", interrupted: "interrupted"};
    const list = make("ul", {class: "run-legend", "aria-label": "What the bars mean", hidden: ""});
    for (const [outcome, word] of Object.entries(words)) {
      list.append(make("li", {},
        make("span", {class: "run-key", "data-outcome": outcome, "aria-hidden": "true"}), word));
    }
    return list;
  }

  function makeHints() {
    const hints = [
      "The first two bars stand alone whatever the limit: robots.txt, and the page that names the " +
        "others. More lanes can't help before there is more than one URL to ask for.",
      "Then lanes fill up: to the limit, or to as many URLs as are known by then. The server counts " +
        "the same.",
      "Towards the end lanes run dry: each hop of a redirect is known only from the one before.",
      "The same pages come out of every engine. What differs is how many threads it takes.",
    ];
    return make("details", {class: "run-hints"}, make("summary", {}, "What to look for"),
      make("ul", {}, ...hints.map((hint) => make("li", {}, hint))));
  }

  weftPage.realRun = {
    // Fills element with the controls; runs need the page to come from weft lab.
    mount(element) {
      if (window.location.protocol === "file:") {
        element.append(make("p", {class: "run-status"},
          "A real run needs the program: start ", make("code", {}, "weft lab"),
          " and open the address that it prints."));
        return;
      }
      new RealRun(element);
    },
  };
}());

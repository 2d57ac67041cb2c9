/* Made by scripts/make-lesson-page; do not edit. */
globalThis.weftPage = globalThis.weftPage || {};
weftPage.excerpts = [
 {
  "file": "src/exec/future.c",
  "name": "weft_future_start",
  "title": "One exchange decides who gets the job",
  "code": "enum weft_status weft_future_start(struct weft_future *f)\n{\n    int state = WEFT_PENDING;\n    if (atomic_compare_exchange_strong(&f->state, &state, WEFT_RUNNING)) {\n        return WEFT_OK;\n    }\n    return state == WEFT_CANCELLED || state == WEFT_DROPPING ? WEFT_ECANCELED : WEFT_EDONE;\n}",
  "intro": [
   [
    "A worker wants to run a job, and at the same moment somebody cancels it. Exactly one of the two may win. No lock is needed for that: the state is one number, and one atomic step looks and changes it."
   ]
  ],
  "notes": [
   {
    "lines": [
     4
    ],
    "text": [
     "If the state is still ",
     [
      "code",
      "WEFT_PENDING"
     ],
     ", it becomes ",
     [
      "code",
      "WEFT_RUNNING"
     ],
     ", and this thread is the only one that saw that happen. Whoever comes second finds another state, and it is written into ",
     [
      "code",
      "state"
     ],
     "."
    ]
   },
   {
    "lines": [
     7
    ],
    "text": [
     "So the loser also learns ",
     [
      "em",
      "why"
     ],
     " it lost: the job was cancelled, or somebody has it already."
    ]
   }
  ]
 },
 {
  "file": "src/exec/future.c",
  "name": "weft_future_cancel",
  "title": "Cancelling takes the same step as starting",
  "code": "enum weft_status weft_future_cancel(struct weft_future *f)\n{\n    static const enum weft_status answer[] = {\n        [WEFT_PENDING] = WEFT_OK,     [WEFT_RUNNING] = WEFT_EBUSY, [WEFT_DROPPING] = WEFT_OK,\n        [WEFT_FINISHED] = WEFT_EDONE, [WEFT_CANCELLED] = WEFT_OK,\n    };\n    if (!f) {\n        return WEFT_EINVAL;\n    }\n    if (weft_future_done(f)) {\n        return answer[weft_future_state(f)]; /* in a forked child, too: without its lock */\n    }\n    if (weft_future_orphaned(f)) {\n        return WEFT_EFORKED;\n    }\n    if (f->home && weft_future_claim_drop(f)) {\n        weft_executor_drop(f);\n        return WEFT_OK;\n    }\n    int state = WEFT_PENDING; /* what it was; only a promise can still be that */\n    bool call = false;\n    pthread_mutex_lock(&f->lock);\n    if (atomic_compare_exchange_strong(&f->state, &state, WEFT_CANCELLED)) {\n        call = tell(f);\n    } else if (state == WEFT_RUNNING) {\n        raise_stop(f);\n    }\n    pthread_mutex_unlock(&f->lock);\n    if (call) {\n        weft_future_call_callbacks(f);\n    }\n    return answer[state];\n}",
  "intro": [
   [
    "Cancelling a running job only asks. Cancelling a waiting one takes the same step that a worker would take, so the race between the two needs no rule of its own."
   ]
  ],
  "notes": [
   {
    "lines": [
     16
    ],
    "text": [
     "One exchange, as in the start: from ",
     [
      "code",
      "WEFT_PENDING"
     ],
     " to ",
     [
      "code",
      "WEFT_DROPPING"
     ],
     ". If it succeeds no worker can start the job any more, and this thread owns it as a worker would."
    ]
   },
   {
    "lines": [
     17
    ],
    "text": [
     "It takes the job out of the queue, frees its argument, makes it cancelled and calls the callbacks: all that happens after a job, but for the job."
    ]
   },
   {
    "lines": [
     26
    ],
    "text": [
     "It runs: the stop flag goes up, and a pause of the job ends. Nothing is torn out of its hands."
    ]
   },
   {
    "lines": [
     32
    ],
    "text": [
     "The table above turns what the state ",
     [
      "em",
      "was"
     ],
     " into the answer: OK, busy, done. The same state always gives the same answer."
    ]
   }
  ]
 },
 {
  "file": "src/exec/future.c",
  "name": "tell",
  "title": "Whoever makes a future done tells everybody who listens",
  "code": "/* f has just got its final state: tells the listeners. The lock is held: so a listener is either\n * told here, or finds the future done when it registers, and one that leaves takes this lock and is\n * then out of reach. Returns whether there are callbacks: this thread has to call them, without the\n * lock. */\nstatic bool tell(struct weft_future *f)\n{\n    struct weft_link *link;\n    while ((link = weft_list_first(&f->listeners))) {\n        struct weft_listener *l = weft_list_entry(link, struct weft_listener, link);\n        weft_link_remove(link);\n        l->fire(l, f);\n    }\n    f->calling = f->callbacks != NULL;\n    return f->calling;\n}",
  "intro": [
   [
    "Waiting threads and completion queues do not look at futures again and again. They hang a listener on each, and the thread that makes the future done calls every listener once."
   ]
  ],
  "notes": [
   {
    "lines": [
     8
    ],
    "text": [
     "The lock of the future is held. So a listener is either in this list and is called here, or its owner finds the future done when it comes to register. There is no moment in between in which somebody could be forgotten."
    ]
   },
   {
    "lines": [
     11
    ],
    "text": [
     "What a listener does is short: count, or move an entry. It must not block or allocate, so completing a future cannot fail."
    ]
   },
   {
    "lines": [
     13
    ],
    "text": [
     "Callbacks are other people's code. They are called later, when the lock is given back; this only notes that this thread will do it."
    ]
   }
  ]
 },
 {
  "file": "src/exec/wait.c",
  "name": "listen_and_sleep",
  "title": "Waiting for the first of many, and missing none",
  "code": "/* Listens to all of fs, one ear each, sleeps until it is enough, stops listening. After that no\n * other thread knows of w or the ears. */\nstatic void listen_and_sleep(struct weft_future *const *fs, size_t n, struct ear *ears,\n                             struct wait *w, weft_time deadline)\n{\n    for (size_t i = 0; i < n; i++) {\n        ears[i] = (struct ear){.listener = {.fire = hear}, .wait = w};\n        ears[i].used = weft_future_listen(fs[i], &ears[i].listener);\n        if (!ears[i].used) {\n            pthread_mutex_lock(&w->lock);\n            count(&w->tally, fs[i]);\n            pthread_mutex_unlock(&w->lock);\n        }\n    }\n    pthread_mutex_lock(&w->lock);\n    if (!is_enough(&w->tally)) {\n        weft_waiter_wait(&w->sleeper, &w->lock, deadline);\n    }\n    pthread_mutex_unlock(&w->lock);\n    for (size_t i = 0; i < n; i++) {\n        if (ears[i].used) {\n            weft_future_unlisten(fs[i], &ears[i].listener);\n        }\n    }\n}",
  "intro": [
   [
    "This is the heart of ",
    [
     "code",
     "wait(..., return_when=FIRST_COMPLETED)"
    ],
    ". A future may get done at any moment, also while this function is still on its way through the list."
   ]
  ],
  "notes": [
   {
    "lines": [
     8
    ],
    "text": [
     "Registering and \"it is done already\" are told apart under the future's own lock. So each future is counted once: by its listener or below, never by both, never by none."
    ]
   },
   {
    "lines": [
     16
    ],
    "text": [
     "Between registering and this line futures may have got done. Their listeners have counted already, under the lock that is held here; so a thread that has enough does not fall asleep."
    ]
   },
   {
    "lines": [
     17
    ],
    "text": [
     "The only place in which it sleeps. The lock is given back while it sleeps and taken again before it goes on: that is what a condition variable is."
    ]
   },
   {
    "lines": [
     22
    ],
    "text": [
     "The listeners lie on this thread's stack. They have to be unhooked before the function returns, or a worker would call what is not there any more."
    ]
   }
  ]
 },
 {
  "file": "src/exec/waiter.c",
  "name": "weft_waiter_wait",
  "title": "A wait stands in a loop",
  "code": "bool weft_waiter_wait(struct weft_waiter *w, pthread_mutex_t *lock, weft_time deadline)\n{\n    /* A loop, because a condition variable may wake its waiter without having been signalled. */\n    while (!w->called && weft_cond_wait(&w->cond, lock, deadline)) {\n    }\n    bool called = w->called;\n    w->called = false;\n    return called;\n}",
  "intro": [
   [
    "Workers without a job, waits, completion queues and semaphores all sleep in these lines."
   ]
  ],
  "notes": [
   {
    "lines": [
     4
    ],
    "text": [
     "A condition variable may wake its waiter for no reason at all, so waking proves nothing; ",
     [
      "code",
      "called"
     ],
     " does. With an ",
     [
      "code",
      "if"
     ],
     " here the whole library would be wrong, rarely, and only on a busy machine."
    ]
   },
   {
    "lines": [
     6
    ],
    "text": [
     "The deadline may pass at the very moment when somebody calls. Then ",
     [
      "code",
      "called"
     ],
     " is true, and being called counts: what was handed over is not lost."
    ]
   }
  ]
 },
 {
  "file": "src/exec/pool.c",
  "name": "work",
  "title": "What a worker does all its life",
  "code": "/* Runs jobs until the pool is closed and its queue is empty. The lock is held on entry and on\n * return. */\nstatic void work(struct pool *p, struct worker *w)\n{\n    struct weft_executor *e = &p->base;\n    struct weft_future *last = NULL; /* the job before, if its reference is still held */\n    for (;;) {\n        struct weft_future *f = weft_executor_take(e);\n        if (!f && !last) {\n            if (e->closed) {\n                return;\n            }\n            e->idle++;\n            weft_line_wait(&p->idle, &w->waiter, &e->lock, WEFT_FOREVER);\n            e->idle--;\n            p->coming = false;\n            continue;\n        }\n        if (e->queued > 0) {\n            call_worker(p);\n        }\n        pthread_mutex_unlock(&e->lock);\n        weft_future_release(last); /* may destroy a value: under no lock, and before any sleep */\n        if (f) {\n            weft_executor_run(f, w->number);\n        }\n        pthread_mutex_lock(&e->lock);\n        last = f ? weft_executor_count_off(e, f) : NULL;\n    }\n}",
  "intro": [
   [
    "A worker holds the lock of the pool on entry, at the end, and whenever it looks at the queue; never while a job runs."
   ]
  ],
  "notes": [
   {
    "lines": [
     8
    ],
    "text": [
     "First in, first out. The job is taken out of the queue and started in one go, under the lock."
    ]
   },
   {
    "lines": [
     10
    ],
    "text": [
     "Only a worker that found nothing looks whether the pool is closed. So closing lets the queue run empty first, and no job is lost."
    ]
   },
   {
    "lines": [
     14
    ],
    "text": [
     "Nothing to do: it stands in the line of the idle and sleeps. After that it looks at the queue again, since another may have been quicker."
    ]
   },
   {
    "lines": [
     20
    ],
    "text": [
     "Whoever got a job calls one more, if there is more to do. So a hundred quick jobs do not wake a hundred workers."
    ]
   },
   {
    "lines": [
     22
    ],
    "text": [
     "From here to the lock below other people's code runs, under no lock: the job, its callbacks, the destructor of a value."
    ]
   }
  ]
 },
 {
  "file": "src/exec/completion_queue.c",
  "name": "get_ready",
  "title": "Python's as_completed is a list that gets longer",
  "code": "/* The future of an entry is done. Under the future's lock, but for one that was done before. */\nstatic void get_ready(struct weft_listener *self, struct weft_future *f)\n{\n    struct weft_queue_entry *entry = weft_list_entry(self, struct weft_queue_entry, listener);\n    struct weft_completion_queue *q = entry->queue;\n    (void)f;\n    pthread_mutex_lock(&q->lock);\n    weft_link_remove(&entry->link);\n    weft_list_append(&q->ready, &entry->link);\n    weft_line_call_first(&q->consumers);\n    pthread_mutex_unlock(&q->lock);\n}",
  "intro": [
   [
    "An entry waits in one list until its future is done, and is then moved to the other. Taking the next one out is then looking at the front of a list, however many are pending."
   ]
  ],
  "notes": [
   {
    "lines": [
     4
    ],
    "text": [
     "The listener lies inside the entry, so nothing has to be searched or allocated: from the address of the one follows the address of the other."
    ]
   },
   {
    "lines": [
     9
    ],
    "text": [
     "Appended, so entries come out in the order in which the futures got done, not in the order in which they were submitted."
    ]
   },
   {
    "lines": [
     10
    ],
    "text": [
     "One entry, one consumer: only the first in line is woken."
    ]
   }
  ]
 },
 {
  "file": "src/crawl/coordinator.c",
  "name": "weft_coordinate",
  "title": "The loop around which everything is built",
  "code": "enum weft_status weft_coordinate(struct weft_crawl *c)\n{\n    enum weft_status st = WEFT_OK;\n    c->next_watch = c->began + WATCH_EVERY;\n    c->next_progress = c->options.on_progress ? c->began : WEFT_FOREVER;\n    look_around(c, c->began); /* a stop may have been asked before */\n    while (st == WEFT_OK && (st = weft_keep_refill(c)) == WEFT_OK && goes_on(c, &st)) {\n        struct weft_visit *done;\n        st = start_ready(c, c->now(c->now_user));\n        if (st == WEFT_OK) {\n            st = weft_redirect_undecided(c);\n        }\n        if (st != WEFT_OK || !pending(c)) {\n            continue; /* all that was left was skipped */\n        }\n        st = c->engine->ops->wait_any(c->engine, wait_until(c), &done);\n        if (st == WEFT_OK) {\n            land(c, done);\n            st = take_in(c, done);\n            st = st == WEFT_OK ? weft_redirect_undecided(c) : st;\n        } else if (st == WEFT_ETIMEDOUT || st == WEFT_ECANCELED) {\n            st = WEFT_OK;\n        }\n        if (st == WEFT_OK) {\n            look_around(c, c->now(c->now_user));\n        }\n    }\n    return st;\n}",
  "intro": [
   [
    "The coordinator of the lessons, with everything that a real crawl needs. One thread runs it, and only that thread touches what has been seen and what is queued; so there is no lock on either."
   ]
  ],
  "notes": [
   {
    "lines": [
     9
    ],
    "text": [
     "Fill the free slots: hand out what may start now."
    ]
   },
   {
    "lines": [
     16
    ],
    "text": [
     "Wait for whichever fetch is done first. This call is all that the coordinator knows of threads and loops: each engine has its own. The deadline is the next moment at which something else has to happen, a host that may be asked again, say."
    ]
   },
   {
    "lines": [
     19
    ],
    "text": [
     "Take in what came back: tell the record, look at the links, put the new ones into the frontier. Then round again."
    ]
   },
   {
    "lines": [
     21
    ],
    "text": [
     "Nothing came, because the time was up or somebody called ",
     [
      "code",
      "wake"
     ],
     ". Neither is an error."
    ]
   }
  ]
 },
 {
  "file": "src/crawl/engine_threads.c",
  "name": "threads_wait_any",
  "title": "Waiting with threads: a completion queue",
  "code": "static enum weft_status threads_wait_any(struct weft_engine *base, weft_time deadline,\n                                         struct weft_visit **done)\n{\n    struct threads_engine *e = (struct threads_engine *)base;\n    struct weft_future *f;\n    void *tag;\n    *done = NULL;\n    enum weft_status st = weft_completion_queue_next(e->done, deadline, &f, &tag);\n    if (st != WEFT_OK) {\n        return st;\n    }\n    if (tag == e) { /* the promise: somebody called wake */\n        weft_future_release(f);\n        st = arm_wake(e);\n        return st == WEFT_OK ? WEFT_ECANCELED : st;\n    }\n    *done = weft_future_take(f);\n    weft_future_release(f);\n    return WEFT_OK;\n}",
  "intro": [
   [
    "The engine for threads submits each fetch to a pool and lets its future come out of a queue."
   ]
  ],
  "notes": [
   {
    "lines": [
     8
    ],
    "text": [
     "The whole wait. In Python: ",
     [
      "code",
      "next(as_completed(pending))"
     ],
     "."
    ]
   },
   {
    "lines": [
     12
    ],
    "text": [
     "How does another thread wake one that waits for a queue? A promise lies in the queue as well, a future that no job stands for; finishing it makes it come out like any other."
    ]
   },
   {
    "lines": [
     17
    ],
    "text": [
     "The visit is the value of the future, and ownership moves: from the coordinator to the worker at submit, back to the coordinator here. At any moment one thread has it."
    ]
   }
  ]
 },
 {
  "file": "src/crawl/engine_events.c",
  "name": "events_wait_any",
  "title": "Waiting with an event loop: the same question",
  "code": "static enum weft_status events_wait_any(struct weft_engine *base, weft_time deadline,\n                                        struct weft_visit **done)\n{\n    struct events_engine *e = (struct events_engine *)base;\n    *done = NULL;\n    for (;;) {\n        void *tag;\n        struct weft_parse *parse = e->parsers ? weft_parsers_take(e->parsers) : NULL;\n        if (parse) {\n            *done = finish(e, slot_of(parse));\n            return WEFT_OK;\n        }\n        enum weft_status st = weft_loop_next(e->loop, deadline, &tag);\n        if (st == WEFT_ECANCELED && e->parsers && !atomic_exchange(&e->woken, false)) {\n            continue; /* a page has been read */\n        }\n        if (st != WEFT_OK) {\n            return st;\n        }\n        struct slot *s = tag;\n        if (!hand_over(e, s)) {\n            weft_reader_read(e->reader, &s->parse.response, 0, s->parse.visit);\n            *done = finish(e, s);\n            return WEFT_OK;\n        }\n    }\n}",
  "intro": [
   [
    "The same function for the other engine; the coordinator cannot tell which of the two it calls."
   ]
  ],
  "notes": [
   {
    "lines": [
     13
    ],
    "text": [
     "All transfers go on in here, on this thread, until one of them has ended."
    ]
   },
   {
    "lines": [
     21
    ],
    "text": [
     "Reading a page is computing, and while the loop computes it is deaf. A page of a kilobyte or more may be handed to other threads, if the user asked for them; then the loop goes on with the next."
    ]
   },
   {
    "lines": [
     22
    ],
    "text": [
     "Else it is read here and now, and every other fetch waits that long. For small pages that costs less than handing over."
    ]
   }
  ]
 }
];

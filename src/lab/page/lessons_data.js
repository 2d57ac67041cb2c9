/* Made by scripts/make-lesson-page; do not edit. */
globalThis.weftPage = globalThis.weftPage || {};
weftPage.lessons = {
 "path": [
  {
   "name": "sequential",
   "page": "sequential",
   "minutes": 20,
   "about": "a breadth-first crawl, one page after another"
  },
  {
   "name": "pool",
   "page": "pool",
   "minutes": 25,
   "about": "submit to free slots, take what is done first"
  },
  {
   "name": "events",
   "page": "events",
   "minutes": 20,
   "about": "many fetches at once on one thread"
  },
  {
   "name": "compare",
   "page": "compare",
   "minutes": 15,
   "about": "one after another, threads, event loop: the same site"
  },
  {
   "name": "queue",
   "page": "queue",
   "minutes": 20,
   "about": "a queue, workers and join; why done must be told on every path"
  },
  {
   "name": "timeout",
   "page": "timeout",
   "minutes": 15,
   "about": "connect, read, whole, and waiting for a slot"
  },
  {
   "name": "retry",
   "page": "retry",
   "minutes": 15,
   "about": "what is worth another try, and how long to wait for it"
  },
  {
   "name": "semaphore",
   "page": "semaphore",
   "minutes": 15,
   "about": "at most so many at once, and what that does not limit"
  },
  {
   "name": "cancellation",
   "page": "cancellation",
   "minutes": 15,
   "about": "a job that waits, one that listens, one that does not"
  },
  {
   "name": "failures",
   "page": "failures",
   "minutes": 10,
   "about": "one broken URL must not lose the batch"
  },
  {
   "name": "bulkhead",
   "page": "bulkhead",
   "minutes": 20,
   "about": "two limits that block each other"
  },
  {
   "name": "race",
   "page": "race",
   "minutes": 10,
   "about": "the first answer of several mirrors wins"
  },
  {
   "name": "rate",
   "page": "rate",
   "minutes": 15,
   "about": "concurrency is not a rate; a token bucket is"
  },
  {
   "name": "blocking",
   "page": "blocking",
   "minutes": 15,
   "about": "what blocks the loop blocks every fetch"
  },
  {
   "name": "memory",
   "page": "memory",
   "minutes": 15,
   "about": "a bounded queue to a single writer"
  },
  {
   "name": "steps/1-sequential",
   "page": "steps",
   "minutes": 10,
   "about": "the crawler in steps: one page after another"
  },
  {
   "name": "steps/2-executor",
   "page": "steps",
   "minutes": 15,
   "about": "... with an executor and futures"
  },
  {
   "name": "steps/3-engine",
   "page": "steps",
   "minutes": 10,
   "about": "... with the engine pulled out"
  },
  {
   "name": "steps/4-events",
   "page": "steps",
   "minutes": 10,
   "about": "... with an event loop as the engine"
  }
 ],
 "pages": {
  "sequential": {
   "title": "One page after another",
   "idea": [
    {
     "text": [
      "A crawler is a queue and a set. The queue holds URLs that are known and not yet asked; the set holds all that were ever put into the queue, so that each page is asked once. Take the first, fetch it, put its links at the end: pages come level by level, which is called breadth-first."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson sequential\nweft lesson sequential --pages 40 --fan 2 --delay 50",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/sequential.c",
       "#/lesson-sequential"
      ],
      "; ",
      [
       "code",
       "discover"
      ],
      " and ",
      [
       "code",
       "crawl"
      ],
      " are the whole crawler."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Before you run it, write down the order of the pages for ",
      [
       "code",
       "--pages 7 --fan 2"
      ],
      " (page 0 links to 1 and 2, page 1 to 3 and 4, page 2 to 5 and 6) when the queue starts with page 0 and a broken URL. Then double ",
      [
       "code",
       "--delay"
      ],
      ". What happens to the width of a letter in the drawing, and to the whole time?"
     ]
    }
   ],
   "python": [
    {
     "code": "from collections import deque\n\nsite = {\"0\": [\"1\", \"2\"], \"1\": [\"3\", \"0\"], \"2\": [\"3\"], \"3\": []}  # \"404\" is not there\n\nqueue, seen, fetched, failed = deque([\"0\", \"404\"]), {\"0\", \"404\"}, [], []\nwhile queue:\n    url = queue.popleft()\n    if url not in site:\n        failed.append(url)\n        continue\n    fetched.append(url)\n    for link in site[url]:\n        if link not in seen:\n            seen.add(link)\n            queue.append(link)\n\nassert fetched == [\"0\", \"1\", \"2\", \"3\"] and failed == [\"404\"]\nprint(\"discovered\", len(seen), \"fetched\", fetched, \"failed\", failed)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why does the crawl end although pages link back to page 0?"
    ],
    [
     "When is a URL put into the set: when it is discovered or when it is fetched? What goes wrong the other way round?"
    ],
    [
     "What does the program do most of the time?"
    ]
   ],
   "answers": [
    [
     "A URL enters the queue once in its life, and a site has finitely many."
    ],
    [
     "When it is discovered. Otherwise two pages that link to a third, both read before it is fetched, put it into the queue twice, and it is fetched twice."
    ],
    [
     "It waits. One fetch is in flight at any time, so the whole time is the sum of all delays: the next lessons are about waiting for several answers at once."
    ]
   ]
  },
  "pool": {
   "title": "A pool of threads",
   "idea": [
    {
     "text": [
      "",
      [
       "code",
       "submit"
      ],
      " puts a job into a queue and gives a ",
      [
       "em",
       "future"
      ],
      " at once: a result that does not exist yet. Threads of the pool take jobs out and run them. The coordinator submits only as many jobs as there are free slots, waits until the first future is done, whichever it is, and refills its slot."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson pool\nweft lesson pool --slots 6 --requests 24 --delay 200",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/pool.c",
       "#/lesson-pool"
      ],
      "; ",
      [
       "code",
       "fetch"
      ],
      " is the job, ",
      [
       "code",
       "main"
      ],
      " the coordinator."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Every third page (a, d, g, ...) takes three times as long. Predict the order in which pages are done with 1 slot, and with 2. Then find the smallest ",
      [
       "code",
       "--slots"
      ],
      " that makes the whole not faster any more, and look at the drawing: who is it that everybody waits for?"
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait\nimport time\n\ndef fetch(i):\n    time.sleep(0.03 if i % 3 == 0 else 0.01)\n    return i\n\nslots, todo, running, order = 3, list(range(12)), set(), []\nwith ThreadPoolExecutor(slots) as pool:\n    while todo or running:\n        while todo and len(running) < slots:\n            running.add(pool.submit(fetch, todo.pop(0)))\n        done, running = wait(running, return_when=FIRST_COMPLETED)\n        order += [f.result() for f in done]\n\nassert sorted(order) == list(range(12))\nprint(\"done, in this order:\", order)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why not submit all requests at once? The pool has a queue for them."
    ],
    [
     "Why wait for the ",
     [
      "em",
      "first"
     ],
     " of the futures, not for the one that was submitted first?"
    ],
    [
     "What is the least time for 60 requests of 200 ms with 5 slots?"
    ]
   ],
   "answers": [
    [
     "It works, and for twelve requests nobody would see a difference. But a crawl learns of new pages while it runs, wants to choose the best of them when a slot gets free, and wants to be able to stop: what waits in a queue of jobs is decided already."
    ],
    [
     "A slow page would keep a free slot empty: with first come, first awaited, one page of a minute stops everything behind it."
    ],
    [
     "60 * 200 ms / 5 = 2.4 s. Throughput is concurrency divided by latency: 5 / 0.2 s = 25 a second."
    ]
   ]
  },
  "events": {
   "title": "An event loop",
   "idea": [
    {
     "text": [
      "A thread that fetches does one thing: it waits. One thread can wait for many connections at once, if it starts all of them first and then asks the kernel which of them has something to say. What a thread keeps on its stack between question and answer, the loop keeps in a struct."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson events\nweft lesson events --slots 12",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/events.c",
       "#/lesson-events"
      ],
      "; ",
      [
       "code",
       "struct slot"
      ],
      " is one fetch on its way; the ",
      [
       "code",
       "while"
      ],
      " in ",
      [
       "code",
       "main"
      ],
      " is the loop."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Run ",
      [
       "code",
       "weft lesson pool"
      ],
      " and ",
      [
       "code",
       "weft lesson events"
      ],
      " with the same knobs and lay the two drawings beside each other. Then give both 50 slots and 200 requests, and count threads with ",
      [
       "code",
       "ps -L"
      ],
      " meanwhile."
     ]
    }
   ],
   "python": [
    {
     "code": "import asyncio\n\nasync def fetch(i, order):\n    await asyncio.sleep(0.03 if i % 3 == 0 else 0.01)\n    order.append(i)\n\nasync def main():\n    order, gate = [], asyncio.Semaphore(3)\n\n    async def one(i):\n        async with gate:\n            await fetch(i, order)\n\n    await asyncio.gather(*(one(i) for i in range(12)))\n    assert sorted(order) == list(range(12))\n    print(\"done, in this order:\", order)\n\nasyncio.run(main())",
     "language": "python"
    }
   ],
   "questions": [
    [
     "The drawings are alike. What does the loop save, then?"
    ],
    [
     "Which line of ",
     [
      "code",
      "main"
     ],
     " would be a data race if two threads ran it?"
    ],
    [
     "What must never be called between two calls of ",
     [
      "code",
      "weft_loop_next"
     ],
     "?"
    ]
   ],
   "answers": [
    [
     "Threads: their stacks, and the switches between them. With a dozen fetches nobody notices; with thousands it decides."
    ],
    [
     [
      "code",
      "started++"
     ],
     " and ",
     [
      "code",
      "ended++"
     ],
     ", and the array of slots. On a loop nothing needs a lock, because nothing else runs meanwhile."
    ],
    [
     "Anything that blocks or computes for long: all other fetches stand still. The lesson ",
     [
      "a",
      "blocking",
      "#/lesson-blocking"
     ],
     " shows it."
    ]
   ]
  },
  "compare": {
   "title": "Three engines",
   "idea": [
    {
     "text": [
      "The same coordinator, the same pages, three ways to wait: one after another, a pool of threads, an event loop. What a crawl finds must not depend on the engine; how long it takes does."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson compare\nweft lesson compare --jobs 1\nweft lesson compare --pages 400 --jobs 30",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/compare.c",
       "#/lesson-compare"
      ],
      "; ",
      [
       "code",
       "crawl"
      ],
      " runs one engine."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Predict the ratio of the times of ",
      [
       "code",
       "sync"
      ],
      " and ",
      [
       "code",
       "threads"
      ],
      " for ",
      [
       "code",
       "--jobs 6"
      ],
      ". It is less than 6: look at the left end of the drawing for the reason. Then give ",
      [
       "code",
       "--delay 0"
      ],
      ": which engine is the best now?"
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait\nimport time\n\nsite = {i: [4 * i + k for k in range(1, 5) if 4 * i + k < 40] for i in range(40)}\n\ndef fetch(i):\n    time.sleep(0.005)\n    return site[i]\n\ndef crawl(jobs):\n    seen, todo, running = {0}, [0], set()\n    with ThreadPoolExecutor(jobs) as pool:\n        while todo or running:\n            while todo and len(running) < jobs:\n                running.add(pool.submit(fetch, todo.pop(0)))\n            done, running = wait(running, return_when=FIRST_COMPLETED)\n            for link in (l for f in done for l in f.result()):\n                if link not in seen:\n                    seen.add(link)\n                    todo.append(link)\n    return seen\n\nassert crawl(1) == crawl(6) == set(range(40))\nprint(\"one and six at once found the same\", len(crawl(6)), \"pages\")",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why is the pool with six slots not six times as fast?"
    ],
    [
     "In which order do the three engines find pages, and why is the ",
     [
      "em",
      "set"
     ],
     " the same?"
    ]
   ],
   "answers": [
    [
     "At first only one page is known, so nobody else can do anything; and at the end there are not enough pages left. A site has a shape, and no engine is faster than its longest chain of links."
    ],
    [
     "One after another is breadth-first; with several at once, whichever answer comes first gives its links first. But each page is asked once, and every link of it is looked at, in whatever order: so the same pages are reached."
    ]
   ]
  },
  "queue": {
   "title": "Queue, workers, join",
   "idea": [
    {
     "text": [
      "Workers take items from a queue. To know when all is done it is not enough that the queue is empty: somebody may still work on the last item. So the queue counts items that were put and not yet told ",
      [
       "em",
       "done"
      ],
      ", and ",
      [
       "code",
       "join"
      ],
      " waits until that count is zero."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson queue\nweft lesson queue --items 40 --workers 8 --patience 1000",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/queue.c",
       "#/lesson-queue"
      ],
      "; ",
      [
       "code",
       "put"
      ],
      ", ",
      [
       "code",
       "get"
      ],
      ", ",
      [
       "code",
       "task_done"
      ],
      " and ",
      [
       "code",
       "join"
      ],
      " are the queue; ",
      [
       "code",
       "work"
      ],
      " has the mistake."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Every fourth page is broken, and the forgetful worker leaves by an early ",
      [
       "code",
       "continue"
      ],
      " there. How many items will never be told done of ",
      [
       "code",
       "--items 20"
      ],
      "? What would ",
      [
       "code",
       "join"
      ],
      " without patience do?"
     ]
    }
   ],
   "python": [
    {
     "code": "import queue, threading, time\n\ndef run(forgetful):\n    q = queue.Queue(maxsize=4)\n\n    def work():\n        while (i := q.get()) is not None:\n            try:\n                if i % 4 == 3:\n                    raise ConnectionError\n            except ConnectionError:\n                if forgetful:\n                    continue                 # an early way out, and nobody is told\n            q.task_done()\n\n    for _ in range(3):\n        threading.Thread(target=work, daemon=True).start()\n    for i in range(12):\n        q.put(i)\n    deadline = time.monotonic() + (0.05 if forgetful else 60)\n    while q.unfinished_tasks and time.monotonic() < deadline:\n        time.sleep(0.001)                    # q.join() would have no limit\n    for _ in range(3):\n        q.put(None)\n    return q.unfinished_tasks - 3 if forgetful else 0\n\nassert run(False) == 0\nprint(\"never told done:\", run(True))",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why is an empty queue not the end?"
    ],
    [
     "Why do the waits stand in a ",
     [
      "code",
      "while"
     ],
     ", not an ",
     [
      "code",
      "if"
     ],
     "?"
    ],
    [
     [
      "code",
      "join"
     ],
     " is called while workers may still put new items (links, say). When must a worker tell an item done?"
    ]
   ],
   "answers": [
    [
     "The last items are out of the queue and in the hands of workers, who may put new ones."
    ],
    [
     "Between the signal and the moment a waiter has the lock again, another thread may have taken the item; and a condition variable may wake without a reason."
    ],
    [
     "After it has put the links. Otherwise the count can be zero for a moment although work is about to come, and ",
     [
      "code",
      "join"
     ],
     " ends too early."
    ]
   ]
  },
  "timeout": {
   "title": "Timeouts",
   "idea": [
    {
     "text": [
      "Whoever waits needs a limit, and there is not one limit but four: for the ",
      [
       "strong",
       "connection"
      ],
      ", for the ",
      [
       "strong",
       "read"
      ],
      " (the longest silence between two pieces), for the ",
      [
       "strong",
       "whole"
      ],
      " request, and, before all that, for a ",
      [
       "strong",
       "slot"
      ],
      ": one's turn behind a semaphore, which is then called a bulkhead."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson timeout\nweft lesson timeout --delay 500 --below 400",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/timeout.c",
       "#/lesson-timeout"
      ],
      "; ",
      [
       "code",
       "fetch"
      ],
      " shows the three limits of a request, ",
      [
       "code",
       "slot"
      ],
      " the fourth; ",
      [
       "code",
       "connect_to_nobody"
      ],
      " makes a port that never answers."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "The page ",
      [
       "code",
       "drip"
      ],
      " sends ten small pieces and is never silent for as long as ",
      [
       "code",
       "--delay"
      ],
      "; the page ",
      [
       "code",
       "slow"
      ],
      " is silent for ",
      [
       "code",
       "--delay"
      ],
      " and then sends all at once. Which of the limits ",
      [
       "code",
       "read"
      ],
      " and ",
      [
       "code",
       "whole"
      ],
      " catches which page? Predict the table for ",
      [
       "code",
       "--below 150 --delay 200"
      ],
      ", then run it."
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import ThreadPoolExecutor, TimeoutError\nimport threading, time\n\nslot = threading.Semaphore(1)\nslot.acquire()                              # somebody holds it and does not leave\nassert not slot.acquire(timeout=0.02)       # the slot: give up one's place in the line\nslot.release()\n\nwith ThreadPoolExecutor(1) as pool:\n    future = pool.submit(time.sleep, 0.1)\n    try:\n        future.result(timeout=0.02)         # the wait has a limit ...\n    except TimeoutError:\n        print(\"timeout, and the job still runs:\", future.running())\n    assert future.result(timeout=30) is None  # ... which ends the wait, not the job",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why is one limit for the whole request not enough?"
    ],
    [
     "Why is a limit for silence not enough?"
    ],
    [
     "A future is waited for with a deadline, and the deadline passes. What happens to the job?"
    ]
   ],
   "answers": [
    [
     "It has to be long enough for a large page on a slow line; then a dead server costs that long, too. Limits for connecting and for silence find the dead ones early."
    ],
    [
     "A server that sends one byte every ten seconds is never silent for long, and never ends."
    ],
    [
     "Nothing: the wait has ended, the job goes on, and its worker is not free. A limit that ends the work has to be known to the one who works: that is why fetches have limits of their own."
    ]
   ]
  },
  "retry": {
   "title": "Retries",
   "idea": [
    {
     "text": [
      "Some failures pass by themselves: a busy server, a broken connection. Others are answers: there is no such page. Only the first kind is worth another try. The wait before it doubles each time (",
      [
       "em",
       "back-off"
      ],
      "), has a random part (",
      [
       "em",
       "jitter"
      ],
      "), and gives way to the server's own word (",
      [
       "code",
       "Retry-After"
      ],
      ")."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson retry\nweft lesson retry --attempts 5 --base 50 --seed 7",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/retry.c",
       "#/lesson-retry"
      ],
      "; ",
      [
       "code",
       "may_pass"
      ],
      " decides whether, ",
      [
       "code",
       "back_off"
      ],
      " decides when."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Predict for each of the six pages: how many tries, fetched or not? Then set ",
      [
       "code",
       "--attempts 2"
      ],
      ": which page changes its end? Run it with two seeds and compare the waits."
     ]
    }
   ],
   "python": [
    {
     "code": "import random\n\ndef fetch(page, tried):                      # 503 twice, then fine\n    return {\"flaky\": 200 if tried > 2 else 503, \"gone\": 404, \"busy\": 503}[page]\n\ndef retry(page, attempts=3, base=0.1, rand=random.Random(1)):\n    waits = []\n    for tried in range(1, attempts + 1):\n        status = fetch(page, tried)\n        if status not in (429, 502, 503, 504) or tried == attempts:\n            return status, tried, waits\n        whole = base * 2 ** (tried - 1)\n        waits.append(whole / 2 + rand.uniform(0, whole / 2))  # and sleep so long\n\nassert retry(\"flaky\")[:2] == (200, 3)\nassert retry(\"gone\")[:2] == (404, 1)\nassert retry(\"busy\")[:2] == (503, 3)\nprint(\"waits of the flaky page:\", retry(\"flaky\")[2])",
     "language": "python"
    }
   ],
   "questions": [
    [
     "A thousand clients got a 503 in the same second. What happens without jitter?"
    ],
    [
     "Why is 404 not tried again, and 429 is?"
    ],
    [
     "In this program all other pages wait while one waits for its next try. What would you do about it?"
    ]
   ],
   "answers": [
    [
     "All of them come back in the same later second, and again, each time together: the server never gets a quiet moment."
    ],
    [
     "404 says something of the page and will say the same in a second. 429 says something of this second: too many requests, later is fine."
    ],
    [
     "Not sleep: note when the page may be asked again, put it aside, and go on with others. weft's crawler keeps such a list, ordered by time."
    ]
   ]
  },
  "semaphore": {
   "title": "A semaphore",
   "idea": [
    {
     "text": [
      "A semaphore holds so many permits. Who takes one goes on; who finds none waits in line; who has done gives it back. So it limits how many are in a place at once, and nothing else."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson semaphore\nweft lesson semaphore --workers 16 --permits 2",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/semaphore.c",
       "#/lesson-semaphore"
      ],
      "; ",
      [
       "code",
       "fetch"
      ],
      " takes a permit and gives it back; dots in the drawing are the line."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Set ",
      [
       "code",
       "--delay 0"
      ],
      ": does the semaphore still limit the number at once? And how many requests a second reach the server? Now set ",
      [
       "code",
       "--permits 8"
      ],
      ": where have the dots gone?"
     ]
    }
   ],
   "python": [
    {
     "code": "import threading, time\n\ngate, lock, inside, peak = threading.BoundedSemaphore(3), threading.Lock(), 0, 0\n\ndef fetch():\n    global inside, peak\n    with gate:                               # gives back on every path\n        with lock:\n            inside += 1\n            peak = max(peak, inside)\n        time.sleep(0.01)\n        with lock:\n            inside -= 1\n\nthreads = [threading.Thread(target=fetch) for _ in range(8)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nassert peak <= 3\ntry:\n    gate.release()                           # bounded: one too many\nexcept ValueError as e:\n    print(\"at most\", peak, \"at once;\", e)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Name three things that the semaphore does not limit here."
    ],
    [
     "What goes wrong if a path of ",
     [
      "code",
      "fetch"
     ],
     " forgets to give its permit back?"
    ],
    [
     "What is the cap on the line good for?"
    ]
   ],
   "answers": [
    [
     "Threads: eight exist, five of them stand in line. Jobs: the pool has taken all sixteen. Requests a second: with a fast server three at once can be thousands a second (see ",
     [
      "a",
      "rate",
      "#/lesson-rate"
     ],
     ")."
    ],
    [
     "One permit is gone for ever. After three such failures everybody waits, and nothing tells why. That is why there is one way out of the function. The opposite mistake, a release too many, is told at once: the semaphore is bounded."
    ],
    [
     "When all permits are out and the line is long, who comes last waits for longer than he is willing to. A bulkhead refuses at once, and the caller can do something better with the time."
    ]
   ]
  },
  "cancellation": {
   "title": "Cancellation",
   "idea": [
    {
     "text": [
      "Nobody can stop a thread from outside without breaking what it holds. So cancelling takes a job out of the queue if it has not started; if it runs, it is ",
      [
       "em",
       "asked"
      ],
      " to stop, and has to look. Whoever cancels has to wait until it has ended."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson cancellation\nweft lesson cancellation --delay 2000",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/cancellation.c",
       "#/lesson-cancellation"
      ],
      "; ",
      [
       "code",
       "listens"
      ],
      " looks, ",
      [
       "code",
       "deaf"
      ],
      " does not; ",
      [
       "code",
       "main"
      ],
      " cancels all four and awaits them."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Two workers, four jobs, all cancelled at once. Predict for each: will it run, what does ",
      [
       "code",
       "cancel"
      ],
      " say, how does it end? Then set ",
      [
       "code",
       "--delay 2000"
      ],
      ": which line of the output comes late, and why?"
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import ThreadPoolExecutor, wait\nimport threading, time\n\nstop, started = threading.Event(), threading.Barrier(3)\n\ndef listens():\n    started.wait()\n    return \"asked to stop\" if stop.wait(3600) else \"an hour later\"\n\ndef deaf():\n    started.wait()\n    time.sleep(0.05)\n    return \"its result\"\n\nwith ThreadPoolExecutor(2) as pool:\n    jobs = [pool.submit(listens), pool.submit(deaf)]\n    queued = [pool.submit(print, \"never\") for _ in range(2)]\n    started.wait()\n    assert [f.cancel() for f in jobs + queued] == [False, False, True, True]\n    stop.set()                               # Python's future cannot ask: you do\n    wait(jobs + queued)\n    print([f.result() for f in jobs], [f.cancelled() for f in queued])",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why does ",
     [
      "code",
      "cancel"
     ],
     " of a running job not just end its thread?"
    ],
    [
     "The deaf job was cancelled and still has a result. Is that a bug?"
    ],
    [
     [
      "code",
      "main"
     ],
     " cancels the queued jobs before those that run. What may happen the other way round?"
    ],
    [
     "Why does ",
     [
      "code",
      "main"
     ],
     " wait for the four although it does not want their results any more?"
    ]
   ],
   "answers": [
    [
     "The thread may hold a lock, or memory, or half a file. Nobody would ever unlock, free or finish it."
    ],
    [
     "No. It did its work before it could be stopped, and its result is true. To throw it away is the caller's choice. A fetch that should stop early has to be one that can be asked, as ",
     [
      "code",
      "weft_client_interrupt"
     ],
     " does."
    ],
    [
     "The worker whose job has stopped is free, and takes the next job out of the queue before ",
     [
      "code",
      "main"
     ],
     " comes to cancel it. It runs after all."
    ],
    [
     "Until they have ended they use what they were given: here ",
     [
      "code",
      "started"
     ],
     ", which ",
     [
      "code",
      "main"
     ],
     " frees. Cancelled and ended are two moments."
    ]
   ]
  },
  "failures": {
   "title": "Failures as values",
   "idea": [
    {
     "text": [
      "In a batch of a thousand URLs some fail; that is an ordinary result, not the end of the batch. A future keeps what the job returned beside what it made, and whoever reads the results decides what a failure means."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson failures\nweft lesson failures --workers 1",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/failures.c",
       "#/lesson-failures"
      ],
      "; ",
      [
       "code",
       "fetch"
      ],
      " returns a code and a text; ",
      [
       "code",
       "run"
      ],
      " reads all results."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "The first URL answers 500, the fourth breaks the connection. Predict both tables for ",
      [
       "code",
       "--workers 1"
      ],
      " and for ",
      [
       "code",
       "--workers 8"
      ],
      ". Which of the numbers can differ from run to run?"
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import ThreadPoolExecutor\n\ndef fetch(i):\n    if i == 3:\n        raise ConnectionError(\"reset\")\n    return f\"page {i}\"\n\nwith ThreadPoolExecutor(2) as pool:\n    futures = [pool.submit(fetch, i) for i in range(8)]\n    good = [f.result() for f in futures if f.exception() is None]\n    bad = [repr(f.exception()) for f in futures if f.exception() is not None]\n    assert len(good) == 7 and len(bad) == 1\n    print(len(good), \"pages,\", bad)\n    try:\n        print(list(pool.map(fetch, range(8))))   # the exception takes the other pages with it\n    except ConnectionError:\n        print(\"map: the batch is lost\")",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why does the job return a text also when it fails?"
    ],
    [
     "What is the difference between ",
     [
      "em",
      "failed"
     ],
     " and ",
     [
      "em",
      "cancelled"
     ],
     " in the second table?"
    ],
    [
     "When is stopping at the first failure right?"
    ]
   ],
   "answers": [
    [
     "A failure that says what it was can be told, counted and tried again. \"Something went wrong\" can not."
    ],
    [
     "A failed job ran and says what went wrong. A cancelled one never had its chance: nothing is known of its URL. Mixing the two up is how a crawl loses pages without a trace."
    ],
    [
     "When the results are of use only together: the parts of one file, say. Pages of a crawl are not."
    ]
   ]
  },
  "bulkhead": {
   "title": "Two limits",
   "idea": [
    {
     "text": [
      "A crawler has two limits: so many fetches in all, and fewer to one host. If workers that hold one of the places in all stand in a host's line, the two limits block each other: everybody waits for the slow host while the fast one has nothing to do. A coordinator that knows the hosts hands out only what can start."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson bulkhead\nweft lesson bulkhead --all 8 --per-host 2 --pages 30",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/bulkhead.c",
       "#/lesson-bulkhead"
      ],
      "; ",
      [
       "code",
       "blindly"
      ],
      " and ",
      [
       "code",
       "knowingly"
      ],
      " hand out the same jobs."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Look for dots in the first drawing: which share of the workers is of use? Predict when the first page of B is asked for ",
      [
       "code",
       "--pages 12 --all 4"
      ],
      ". What if the list were A, B, A, B, ...?"
     ]
    }
   ],
   "python": [
    {
     "code": "def start(line, busy, per_host):             # who stands in line and has a free place\n    started = \"\"\n    for host in line[:]:\n        if busy[host] < per_host:\n            line.remove(host)\n            busy[host] += 1\n            started += host\n    return started\n\ndef order(hosts_known, pages=6, total=4, per_host=2):\n    urls, line, busy, log = [\"A\"] * pages + [\"B\"] * pages, [], {\"A\": 0, \"B\": 0}, \"\"\n    while urls or line or any(busy.values()):\n        while urls and len(line) + sum(busy.values()) < total:\n            i = 0\n            if hosts_known:                  # the first whose host has a free place\n                i = next((i for i, h in enumerate(urls) if busy[h] < per_host), None)\n                if i is None:\n                    break\n            line.append(urls.pop(i))\n            log += start(line, busy, per_host)\n        busy[max(busy, key=busy.get)] -= 1   # somebody answers\n        log += start(line, busy, per_host)\n    return log\n\nblind, knowing = order(False), order(True)\nassert blind.index(\"B\") > knowing.index(\"B\") == 2\nprint(blind, knowing)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Interleaving the list by host helps a lot. Why is it not the whole answer?"
    ],
    [
     "Why not just make the pool larger?"
    ],
    [
     "What else does a host-aware frontier know that a semaphore does not?"
    ]
   ],
   "answers": [
    [
     "A crawl learns its URLs on the way, in an order that pages decide; and when B is done and only A is left, or C comes in with a thousand links, the line is sorted again."
    ],
    [
     "Each worker in a line costs a thread and does nothing. However large it is, a host with more URLs than workers fills it."
    ],
    [
     "When the host may be asked again (delay, Retry-After, robots.txt), and how much is waiting for it. It can choose the best URL at the moment when something is free."
    ]
   ]
  },
  "race": {
   "title": "A race of mirrors",
   "idea": [
    {
     "text": [
      "When the same file is to be had in several places, ask all, take the first that succeeds, and stop the rest. It costs more requests and saves waiting for the slowest."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson race\nweft lesson race --delay 1000",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/race.c",
       "#/lesson-race"
      ],
      "; ",
      [
       "code",
       "fetch"
      ],
      " listens: it can be stopped while it waits."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "The broken mirror answers first of all: by breaking the connection. Why does it not win? What would the drawing look like if ",
      [
       "code",
       "fetch"
      ],
      " did not look at ",
      [
       "code",
       "weft_stopping"
      ],
      "?"
     ]
    }
   ],
   "python": [
    {
     "code": "import asyncio\n\nasync def mirror(name, seconds, broken=False):\n    await asyncio.sleep(seconds)\n    if broken:\n        raise ConnectionError(name)\n    return name\n\nasync def race(*mirrors):\n    todo = [asyncio.create_task(m) for m in mirrors]\n    while todo:\n        done, todo = await asyncio.wait(todo, return_when=asyncio.FIRST_COMPLETED)\n        for t in done:\n            if t.exception() is None:\n                for loser in todo:\n                    loser.cancel()\n                await asyncio.gather(*todo, return_exceptions=True)\n                return t.result()\n    raise ConnectionError(\"all failed\")\n\nwinner = asyncio.run(race(mirror(\"broken\", 0, True), mirror(\"slow\", 60), mirror(\"fast\", 0.05)))\nassert winner == \"fast\"\nprint(\"won by\", winner)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "What must a job of a race not use, and why?"
    ],
    [
     "What does a race cost the mirrors, and how could it cost less?"
    ]
   ],
   "answers": [
    [
     "Variables on the stack of the function that called ",
     [
      "code",
      "weft_race"
     ],
     ": the losers have been asked to stop, but may not have stopped when it returns. That is why the racers are static."
    ],
    [
     "Every mirror gets every request. Start the second only if the first has not answered after a while (a ",
     [
      "em",
      "hedged"
     ],
     " request): then most files are asked once."
    ]
   ]
  },
  "rate": {
   "title": "Rate",
   "idea": [
    {
     "text": [
      "\"At most three at once\" says nothing of how many a second: that depends on how fast the server is. A ",
      [
       "em",
       "token bucket"
      ],
      " limits the rate: each request takes a token, so many are added a second, and the bucket holds only a few (the ",
      [
       "em",
       "burst"
      ],
      ")."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson rate\nweft lesson rate --rate 5 --burst 1 --requests 12",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/rate.c",
       "#/lesson-rate"
      ],
      "; ",
      [
       "code",
       "take"
      ],
      " is the bucket: a single time, and no thread that fills it."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "The server allows ",
      [
       "code",
       "--rate"
      ],
      " requests a second and a burst of 5, and answers 429 beyond. How many of 30 requests will it refuse without the bucket? Then set ",
      [
       "code",
       "--burst 20"
      ],
      ": why are some refused again?"
     ]
    }
   ],
   "python": [
    {
     "code": "class Bucket:\n    def __init__(self, rate, burst):\n        self.one, self.burst, self.empty_since = 1 / rate, burst, float(\"-inf\")\n\n    def take(self, now):                     # how long to wait\n        self.empty_since = max(self.empty_since, now - self.burst * self.one) + self.one\n        return max(0.0, self.empty_since - now)\n\nbucket, now, starts = Bucket(rate=10, burst=3), 0.0, []\nfor _ in range(8):\n    now += bucket.take(now)\n    starts.append(round(now, 3))\n\nassert starts == [0, 0, 0, 0.1, 0.2, 0.3, 0.4, 0.5]\nprint(\"starts:\", starts)",
     "language": "python"
    }
   ],
   "questions": [
    [
     "A server answers in 20 ms. How many requests a second are three at once?"
    ],
    [
     "What is the burst for? Why not 1?"
    ],
    [
     "Three threads share one bucket. What has to change in ",
     [
      "code",
      "take"
     ],
     "?"
    ]
   ],
   "answers": [
    [
     "3 / 0.02 s = 150. The same three at once are 1.5 a second when it takes two seconds: concurrency follows the server, a rate does not."
    ],
    [
     "With 1 a moment that was not used is lost: after a slow page one may not catch up. With a few, short delays even out and the average stays."
    ],
    [
     "Read and write of ",
     [
      "code",
      "empty_since"
     ],
     " have to be one step: a lock around them. The sleep comes after the lock is given back, or all would sleep in line."
    ]
   ]
  },
  "blocking": {
   "title": "Blocking the loop",
   "idea": [
    {
     "text": [
      "On an event loop everything takes turns on one thread. Who computes for 40 ms makes every other fetch wait 40 ms, even if its answer is there. Give such work to the executor, and let its end wake the loop."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson blocking\nweft lesson blocking --parse 100 --requests 24",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/blocking.c",
       "#/lesson-blocking"
      ],
      "; ",
      [
       "code",
       "parse_page"
      ],
      " does the work here or hands it over; ",
      [
       "code",
       "wake"
      ],
      " runs when it is done."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "In the first drawing letters get longer and longer although the server answers after ",
      [
       "code",
       "--delay"
      ],
      ". Why? Predict the whole time of both ways for 16 requests, 4 slots, delay 30, parse 40."
     ]
    }
   ],
   "python": [
    {
     "code": "import asyncio, time\n\nasync def run(hand_over):\n    loop, deaf, stop = asyncio.get_running_loop(), 0.0, False\n\n    async def watch():                       # how long the loop did not look\n        nonlocal deaf\n        while not stop:\n            before = time.monotonic()\n            await asyncio.sleep(0.001)\n            deaf = max(deaf, time.monotonic() - before)\n\n    async def page():\n        await asyncio.sleep(0.005)\n        if hand_over:\n            await loop.run_in_executor(None, time.sleep, 0.05)\n        else:\n            time.sleep(0.05)\n\n    watcher = asyncio.create_task(watch())\n    await asyncio.gather(*(page() for _ in range(4)))\n    stop = True\n    await watcher\n    return deaf\n\nblocked = asyncio.run(run(False))\nassert blocked >= 0.05\nprint(f\"deaf for {blocked:.3f} s on the loop, {asyncio.run(run(True)):.3f} s handed over\")",
     "language": "python"
    }
   ],
   "questions": [
    [
     "Why does the job not call ",
     [
      "code",
      "weft_loop_wake"
     ],
     " itself, as its last line?"
    ],
    [
     "The work is 1 ms a page. Hand it over?"
    ]
   ],
   "answers": [
    [
     "The job counts as done after it has returned. A wake before that may find nothing, and no other comes: the loop sleeps for ever. The callback runs when the future is done."
    ],
    [
     "Measure. Handing over costs a lock and two switches of threads, some microseconds: little beside 1 ms. But at ten pages a second nobody would notice the 1 ms either. What counts is the longest time that the loop is deaf."
    ]
   ]
  },
  "memory": {
   "title": "Memory",
   "idea": [
    {
     "text": [
      "If pages come faster than they can be written, they pile up, and memory grows with the length of the crawl. A bounded queue in between makes the fast side wait when it is full (",
      [
       "em",
       "back-pressure"
      ],
      "): then memory is a number that you chose."
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson memory\nweft lesson memory --room 20 --write-ms 10",
     "language": "sh"
    },
    {
     "text": [
      "The program is ",
      [
       "a",
       "src/lessons/memory.c",
       "#/lesson-memory"
      ],
      "; ",
      [
       "code",
       "write_page"
      ],
      " owns its page and lets go of it; dots are fetchers that wait for room."
     ]
    }
   ],
   "experiment": [
    {
     "text": [
      "Predict how many pages are held at most, for each of the two ways, with ",
      [
       "code",
       "--pages 200"
      ],
      ". Which of the two is done first, and by how much?"
     ]
    }
   ],
   "python": [
    {
     "code": "import queue, threading, time\n\ndef run(maxsize, pages=40):\n    q, held, peak, lock = queue.Queue(maxsize), 0, 0, threading.Lock()\n\n    def write():\n        nonlocal held\n        while q.get() is not None:\n            time.sleep(0.001)\n            with lock:\n                held -= 1\n\n    writer = threading.Thread(target=write)\n    writer.start()\n    for i in range(pages):\n        with lock:\n            held += 1\n            peak = max(peak, held)\n        q.put(i)\n    q.put(None)\n    writer.join()\n    return peak\n\nbounded = run(5)\nassert bounded <= 5 + 1 + 1                  # the queue, the writer, the one who puts\nprint(\"held at most\", bounded, \"bounded,\", run(0), \"unbounded\")",
     "language": "python"
    }
   ],
   "questions": [
    [
     "The bounded way is hardly slower. Why?"
    ],
    [
     "Why is there one writer and not several?"
    ],
    [
     "What happens if the writer fails and ends? What has to be told to whom?"
    ]
   ],
   "answers": [
    [
     "The writer is the slow part and is busy all the time in both ways. Fetching earlier what cannot be written yet does not make the whole faster."
    ],
    [
     "Lines of two records must not mix, and a disk does not get faster by being asked twice. One writer needs no lock around the file."
    ],
    [
     "Fetchers would wait for room for ever. A queue that is closed has to wake whoever waits and to refuse: here submit would answer ",
     [
      "code",
      "WEFT_ECLOSED"
     ],
     ", and the page would still be the fetcher's to free."
    ]
   ]
  },
  "steps": {
   "title": "The crawler in steps",
   "idea": [
    {
     "text": [
      "A crawler for a real site, in four programs. Each compiles and runs, finds the same pages, and differs from the one before by a diff that fits on a page:"
     ]
    },
    {
     "list": [
      [
       [
        "a",
        "sequential",
        "#/lesson-steps/1-sequential"
       ],
       ": decide, wait, decide, wait."
      ],
      [
       [
        "a",
        "executor",
        "#/lesson-steps/2-executor"
       ],
       ": ",
       [
        "code",
        "fetch"
       ],
       " becomes a job of a pool; the coordinator fills free slots and takes what is done first from a completion queue."
      ],
      [
       [
        "a",
        "engine",
        "#/lesson-steps/3-engine"
       ],
       ": what waits gets four functions of its own (open, start, next, close); ",
       [
        "code",
        "crawl"
       ],
       " only decides."
      ],
      [
       [
        "a",
        "events",
        "#/lesson-steps/4-events"
       ],
       ": the four functions again, on an event loop. ",
       [
        "code",
        "crawl"
       ],
       " is what it was."
      ]
     ]
    }
   ],
   "run": [
    {
     "code": "weft lesson steps/1-sequential\nweft lesson steps/2-executor --jobs 8\ndiff src/lessons/steps/1-sequential.c src/lessons/steps/2-executor.c",
     "language": "sh"
    }
   ],
   "experiment": [
    {
     "text": [
      "Read each diff before you run the program, and say which lines of the output will change. Then sort the lines ",
      [
       "code",
       "200 /..."
      ],
      " of two steps and compare them. On the sample site one page takes 300 ms, and another (",
      [
       "code",
       "behind.html"
      ],
      ") is linked from it alone: where do you see the two in each of the four drawings?"
     ]
    }
   ],
   "python": [
    {
     "code": "from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait\n\nsite = {i: [(3 * i + k) % 50 for k in range(1, 4)] for i in range(50)}\n\nclass Sequential:\n    def __init__(self): self.started = []\n    def free(self): return not self.started\n    def busy(self): return bool(self.started)\n    def start(self, page): self.started.append(page)\n    def next(self):\n        page = self.started.pop()\n        return page, site[page]\n\nclass Pool:\n    def __init__(self, jobs): self.jobs, self.pool, self.running = jobs, ThreadPoolExecutor(jobs), set()\n    def free(self): return len(self.running) < self.jobs\n    def busy(self): return bool(self.running)\n    def start(self, page): self.running.add(self.pool.submit(lambda: (page, site[page])))\n    def next(self):\n        done, _ = wait(self.running, return_when=FIRST_COMPLETED)\n        future = done.pop()\n        self.running.remove(future)\n        return future.result()\n\ndef crawl(engine):                           # the same for every engine\n    seen, queue = [0], [0]\n    while queue or engine.busy():\n        while queue and engine.free():\n            engine.start(queue.pop(0))\n        page, links = engine.next()\n        for link in links:\n            if link not in seen:\n                seen.append(link)\n                queue.append(link)\n    return seen\n\nassert sorted(crawl(Sequential())) == sorted(crawl(Pool(4)))\nprint(\"both found\", len(crawl(Pool(4))), \"pages\")",
     "language": "python"
    }
   ],
   "questions": [
    [
     "In step 2 several threads fetch at once. Why does the queue of URLs need no lock?"
    ],
    [
     "Why does each worker have a client of its own?"
    ],
    [
     "What of step 3 would have to change to crawl with ten thousand fetches at once?"
    ]
   ],
   "answers": [
    [
     "Only the coordinator touches it. A worker gets a visit, fills in the response, and gives it back; the completion queue hands it from one thread to the other."
    ],
    [
     "A client keeps connections and belongs to one thread at a time. With one client for all, either the fetches would take turns, or two threads would write to one connection."
    ],
    [
     "Nothing but the engine: ten thousand threads are too many, ten thousand slots of a loop are not. That is step 4. ",
     [
      "code",
      "weft crawl --engine"
     ],
     " is the same choice, with all the rules of a real crawler around it."
    ]
   ]
  }
 }
};

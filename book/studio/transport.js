// The studio without a server: what its page asks a server for is answered by Python, in workers of this page.

{
  const HERE = document.currentScript.src;
  const realFetch = window.fetch.bind(window);

  /** A worker that answers one request after the other. Each has a sink: line(text), end(). */
  class Backend {
    #worker = null;
    #waiting = new Map(); // the requests without an answer, the one that is worked on first
    #last = 0;

    send(request, sink) {
      const number = ++this.#last;
      this.#waiting.set(number, { request, sink });
      this.#start().postMessage({ number, request });
      return number;
    }

    #start() {
      if (!this.#worker) {
        this.#worker = new Worker(new URL("worker.js", HERE), { type: "module" });
        this.#worker.onmessage = ({ data }) => this.#hear(data);
        this.#worker.onerror = (event) => this.#fail(event.message || "Python cannot be loaded");
      }
      return this.#worker;
    }

    #hear({ number, line, ended, isSpent }) {
      const found = this.#waiting.get(number);
      if (ended) {
        this.#waiting.delete(number);
        found?.sink.end();
        if (isSpent) this.#again();
      } else {
        found?.sink.line(line);
      }
    }

    /** End a request. The worker ends with it, and another one does what waits. */
    end(number, line) {
      const found = this.#waiting.get(number);
      if (!found) return;
      this.#waiting.delete(number);
      if (line) found.sink.line(line);
      found.sink.end();
      this.#again();
    }

    #again() {
      this.#worker?.terminate();
      this.#worker = null;
      for (const [number, { request }] of this.#waiting) this.#start().postMessage({ number, request });
    }

    #fail(why) {
      for (const number of [...this.#waiting.keys()]) {
        const { sink } = this.#waiting.get(number);
        sink.line(JSON.stringify({ error: why }));
        sink.end();
      }
      this.#waiting.clear();
      this.#worker?.terminate();
      this.#worker = null;
    }
  }

  const [questions, jobs] = [new Backend(), new Backend()];

  const json = (text) => new Response(text, { headers: { "content-type": "application/json" } });

  /** The first message of an answer. */
  function first(request) {
    return new Promise((resolve) => {
      let found = null;
      questions.send(request, { line: (text) => (found ??= text), end: () => resolve(json(found ?? '{"error": "there is no answer"}')) });
    });
  }

  /** All messages, as they come, after one that names the job. */
  function stream(request, signal) {
    const encoder = new TextEncoder();
    let number = 0;
    const body = new ReadableStream({
      start(controller) {
        let isOpen = true;
        const line = (text) => isOpen && controller.enqueue(encoder.encode(text.endsWith("\n") ? text : `${text}\n`));
        const end = () => isOpen && ((isOpen = false), controller.close());
        number = jobs.send(request, { line, end });
        line(JSON.stringify({ job: String(number) }));
        signal?.addEventListener("abort", () => jobs.end(number));
      },
      cancel: () => jobs.end(number),
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  }

  window.fetch = async (path, options = {}) => {
    const request = options.body ? JSON.parse(options.body) : {};
    switch (path) {
      case "/api/catalogue":
        return first({ work: "catalogue" });
      case "/api/ask":
        return first(request);
      case "/api/run":
        return stream(request, options.signal);
      case "/api/stop":
        // Later, as a server would: the button that was pressed must not change under the press.
        setTimeout(() => jobs.end(Number(request.job), JSON.stringify({ error: "stopped" })));
        return json("{}");
      default:
        return realFetch(path, options);
    }
  };

  // The page takes its address for the root of a server of its own.
  const replace = history.replaceState.bind(history);
  history.replaceState = (state, title, address) => replace(state, title, String(address).replace(/^\/(?=#|$)/, location.pathname));
}

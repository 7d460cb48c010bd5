// The cells of a page: blocks of Python that can be edited and run. All share one interpreter, in worker.js.

const MOST_LETTERS = 200_000; // of the text that a cell prints
const STOPPED = "Stopped: the cells above must run again, and do so with this one.";
const FRAME_STYLE = `:root { color-scheme: light dark } body { margin: 8px; font: 14px system-ui, sans-serif }`;
const here = (name) => new URL(name, import.meta.url).href;

function element(kind, properties = {}, ...children) {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

/** The interpreter: one worker, started with the first cell. */
class Interpreter {
  #worker = null;
  #cell = null;
  #ended = null;
  words = "";

  get isRunning() {
    return this.#cell !== null;
  }

  run(cell) {
    if (!this.#worker) this.#start();
    this.#cell = cell;
    this.#worker.postMessage({ cell: cell.number, source: cell.source, name: `cell ${cell.number}` });
    return new Promise((resolve) => (this.#ended = resolve));
  }

  #start() {
    this.#worker = new Worker(here("worker.js"), { type: "module" });
    this.words = "Loading Python (13 MB, once) ...";
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#hear({ failed: event.message || "the worker cannot be loaded" });
  }

  #hear({ ready, failed, cell, text, stream, outputs }) {
    if (ready) {
      this.words = ready;
      this.#cell?.say("Running ...");
    } else if (failed) {
      this.#cell?.show({ error: `Python cannot be started: ${failed}` });
      this.#end("failed");
    } else if (text !== undefined && cell === this.#cell?.number) {
      this.#cell.print(text, stream);
    } else if (outputs) {
      for (const output of outputs) this.#cell?.show(output);
      const isWrong = outputs.some(({ error }) => error !== undefined);
      const ended = this.#ended;
      this.#cell = this.#ended = null;
      ended?.(isWrong ? "failed" : "done");
    }
  }

  stop() {
    this.#end("stopped");
  }

  /** End the worker: its variables are lost. */
  #end(how) {
    this.#worker?.terminate();
    this.words = "";
    const ended = this.#ended;
    this.#worker = this.#cell = this.#ended = null;
    ended?.(how);
  }
}

class Cell {
  constructor(block, number, page) {
    this.number = number;
    this.state = "new"; // or running, done, failed
    this.block = block;
    this.code = block.querySelector("pre");
    this.written = this.source;
    this.highlighted = this.code.innerHTML;
    this.runButton = element("button", { type: "button", className: "cell-run", textContent: "Run", onclick: () => page.press(this) });
    this.reset = element("button", { type: "button", textContent: "Undo changes", hidden: true, onclick: () => this.restore() });
    this.status = element("span", { className: "cell-status", role: "status" });
    this.output = element("div", { className: "cell-output", hidden: true });
    this.output.setAttribute("aria-label", `output of cell ${number}`);
    block.append(element("div", { className: "cell-bar" }, this.runButton, this.reset, this.status), this.output);
    this.code.contentEditable = "plaintext-only";
    this.code.spellcheck = false;
    this.code.setAttribute("role", "textbox");
    this.code.setAttribute("aria-multiline", "true");
    this.code.setAttribute("aria-label", `Python, cell ${number}: can be edited; Shift and Enter run it`);
    this.code.oninput = () => {
      this.reset.hidden = this.source === this.written;
      if (this.state !== "running") this.state = "new";
    };
    this.code.onkeydown = (event) => {
      if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        page.press(this);
      } else if (event.key === "Escape") {
        this.code.blur();
      }
    };
  }

  get source() {
    return this.code.innerText.replaceAll("\u00a0", " "); // innerText: a pasted line may end in <br>
  }

  restore() {
    this.code.innerHTML = this.highlighted;
    this.reset.hidden = true;
    this.state = "new";
  }

  say(words) {
    this.status.textContent = words;
  }

  set(state, words) {
    this.state = state;
    this.block.dataset.state = state;
    this.runButton.textContent = state === "running" ? "Stop" : "Run";
    this.say(words);
  }

  begin(words) {
    this.output.replaceChildren();
    this.output.hidden = true;
    this.printed = 0;
    this.set("running", words);
  }

  #append(child) {
    this.output.hidden = false;
    this.output.append(child);
  }

  print(text, stream) {
    const left = MOST_LETTERS - this.printed;
    this.printed += text.length;
    if (left <= 0) return;
    const kind = `cell-text cell-${stream}`;
    if (this.output.lastElementChild?.className !== kind) this.#append(element("pre", { className: kind }));
    this.output.lastElementChild.append(text.slice(0, left), text.length > left ? "\n... (more is not shown)" : "");
  }

  show({ text, error, html, page, height, file, content }) {
    if (text !== undefined) this.#append(element("pre", { className: "cell-text", textContent: text }));
    else if (error !== undefined) this.#append(element("pre", { className: "cell-text cell-error", textContent: error }));
    else if (page !== undefined) this.#append(frame(page, "allow-scripts allow-downloads", `${height}px`));
    else if (html !== undefined) this.#append(pieceOf(html));
    else if (file !== undefined) this.#append(download(file, content));
  }
}

/** A frame whose content can do nothing to this page. */
function frame(srcdoc, sandbox, height) {
  const made = element("iframe", { className: "cell-frame", srcdoc, title: "what the cell shows" });
  made.setAttribute("sandbox", sandbox);
  made.style.height = height;
  return made;
}

/** A piece of a page: a frame without scripts, as high as what it shows. */
function pieceOf(html) {
  const style = getComputedStyle(document.body);
  const colours = `body { color: ${style.color}; background: ${style.backgroundColor} }`;
  const made = frame(`<!doctype html><meta charset="utf-8"><style>${FRAME_STYLE}${colours}</style>${html}`, "allow-same-origin", "60px");
  made.onload = () => {
    const root = made.contentDocument.documentElement;
    made.style.height = `${Math.min(2_000, made.contentDocument.body.scrollHeight + 18)}px`;
    if (root.scrollWidth > root.clientWidth) made.style.height = `${parseInt(made.style.height) + 16}px`;
  };
  return made;
}

function download(name, content) {
  const href = URL.createObjectURL(new Blob([content]));
  return element("p", { className: "cell-file" }, "The cell wrote ", element("a", { href, download: name, textContent: name }), ".");
}

class Page {
  constructor(blocks) {
    this.python = new Interpreter();
    this.cells = blocks.map((block, index) => new Cell(block, index + 1, this));
  }

  press(cell) {
    if (this.python.isRunning) {
      if (cell.state !== "running") return cell.say("Another cell is running: stop it first.");
      return this.python.stop();
    }
    return this.run(cell);
  }

  /** Run a cell, after those above it that have not been run: it may use what they define. */
  async run(cell) {
    for (const each of this.cells.slice(0, cell.number)) {
      if (each !== cell && each.state === "done") continue;
      each.begin(this.python.words || "Loading Python (13 MB, once) ...");
      const begun = performance.now();
      const ticking = setInterval(() => each.state === "running" && begun + 3_000 < performance.now() && this.python.words.startsWith("Python")
        && each.say(`Running for ${Math.round((performance.now() - begun) / 1000)} s ...`), 1_000);
      const how = await this.python.run(each);
      clearInterval(ticking);
      const seconds = Number(((performance.now() - begun) / 1000).toPrecision(2));
      each.set(how === "done" ? "done" : "failed", { done: `${seconds} s, ${this.python.words}`, failed: "", stopped: STOPPED }[how]);
      if (how === "stopped") for (const other of this.cells) other.state = "new";
      if (how !== "done") {
        if (each !== cell) cell.set("failed", `Not run, because cell ${each.number} ${how === "stopped" ? "was stopped" : "has an error"}.`);
        return;
      }
    }
  }
}

const blocks = [...document.querySelectorAll("div.live")];
if (blocks.length) {
  if (location.protocol === "file:") {
    blocks[0].append(element("p", { className: "cell-status", textContent: "To run this page's Python here, serve the site: make docs-serve." }));
  } else {
    window.bestfirstPage = new Page(blocks);
    document.documentElement.dataset.cells = "ready";
  }
}

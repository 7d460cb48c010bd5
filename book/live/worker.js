// Python for the cells of a page, in a worker of its own: the page stays responsive, and Stop ends the worker.

import { bytesOf, here, startedPython } from "./python.js";

/** Text that is printed, sent in portions: a loop that prints must not flood the page. */
class Printer {
  #waiting = "";
  #stream = "out";
  #sent = 0;
  #cell = null;

  begin(cell) {
    this.#cell = cell;
  }

  print(stream, text) {
    if (stream !== this.#stream) this.flush();
    this.#stream = stream;
    this.#waiting += text;
    if (performance.now() - this.#sent > 50) this.flush();
  }

  flush() {
    if (this.#waiting) postMessage({ cell: this.#cell, stream: this.#stream, text: this.#waiting });
    this.#waiting = "";
    this.#sent = performance.now();
  }
}

async function started(printer) {
  const [python, contents, examples] = await Promise.all([
    startedPython("runner.py"),
    fetch(here("contents.json")).then((answer) => answer.json()),
    bytesOf("examples.zip"),
  ]);
  for (const [stream, set] of [["out", "setStdout"], ["err", "setStderr"]]) {
    const decoder = new TextDecoder();
    python[set]({ write: (bytes) => (printer.print(stream, decoder.decode(bytes, { stream: true })), bytes.length) });
  }
  python.FS.mkdirTree("/home/page/examples");
  python.FS.chdir("/home/page");
  python.unpackArchive(examples, "zip", { extractDir: "/home/page/examples" });
  const runnerModule = python.pyimport("runner");
  postMessage({ ready: `Python ${python.runPython("import platform; platform.python_version()")}, bestfirst ${contents.version}` });
  return (source, name) => {
    const outputs = runnerModule.run(source, name);
    const found = outputs.toJs({ dict_converter: Object.fromEntries });
    outputs.destroy();
    return found;
  };
}

const printer = new Printer();
const starting = started(printer);
starting.catch((error) => postMessage({ failed: String(error.message ?? error) }));

onmessage = async ({ data: { cell, source, name } }) => {
  const run = await starting;
  printer.begin(cell);
  let outputs;
  try {
    outputs = run(source, name);
  } catch (error) {
    outputs = [{ error: String(error.message ?? error) }]; // such as memory that is exhausted
  }
  printer.flush();
  postMessage({ cell, outputs });
};

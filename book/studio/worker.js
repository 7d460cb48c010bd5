// Does the studio's work, one request after the other.

import { startedPython } from "../_static/live/python.js";

const starting = startedPython("studio/packages.zip", "studio/serve.py").then((python) => {
  python.setStdout({ batched: console.debug }); // what rules print
  python.setStderr({ batched: console.debug });
  return python.pyimport("serve");
});

onmessage = async ({ data: { number, request } }) => {
  try {
    const isSpent = (await starting).serve(JSON.stringify(request), (line) => postMessage({ number, line }));
    postMessage({ number, ended: true, isSpent });
  } catch (error) {
    postMessage({ number, line: JSON.stringify({ error: String(error.message ?? error) }) });
    postMessage({ number, ended: true, isSpent: true });
  }
};

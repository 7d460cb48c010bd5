// The viewer of a recorded search, over the whole page.

import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { show } from "../app.tsx";

export function Watch({ recording, close }: { recording: unknown; close: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current!;
    show(element, [recording]);
    return () => render(null, element);
  }, [recording]);
  return (
    <div class="watch" role="dialog" aria-label="the search step by step">
      <button type="button" class="close" onClick={close}>Close</button>
      <div class="viewer" ref={frame} />
    </div>
  );
}

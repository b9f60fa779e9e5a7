export interface StreamEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** Reads the events of a response, each of which has an id, a name and one line of data. `EventSource` sends no headers. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const isEnd = ((parts.at(-1)?.at(-1) ?? "") + value).includes("\n\n");
    parts.push(value);
    if (!isEnd) continue;
    const blocks = parts.join("").split("\n\n");
    parts = [blocks.pop() ?? ""];
    for (const block of blocks) yield eventOf(block);
  }
}

function eventOf(block: string): StreamEvent {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  return { id: fields.get("id") ?? "", name: fields.get("event") ?? "", data: fields.get("data") ?? "" };
}

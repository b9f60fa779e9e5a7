import { describe, expect, test } from "vitest";
import { PendingChanges } from "../../../runtime/src/http-server/pending-changes.js";
import { createMcpHandler } from "../../../runtime/src/server/http.js";
import { type call, modern, turn } from "./messages.js";
import { Subject } from "./subject.js";

describe("changes that wait on a stream", () => {
  /** A stream whose client reads when the test calls `read`. */
  function slowStream() {
    const queue: string[] = [];
    const writer = {
      get queuedBytes() {
        return Buffer.byteLength(queue.join(""));
      },
      write: (text: string) => void queue.push(text),
    };
    let pending: PendingChanges | undefined;
    return {
      write: (text: string, isChange = true) => {
        pending = PendingChanges.write(writer, text, isChange, pending);
      },
      read: (count = queue.length) => queue.splice(0, count),
    };
  }

  test("are not written twice", () => {
    const { write, read } = slowStream();
    for (let count = 0; count < 1_000; count++) write("a");
    // The first of them is not known to wait: nothing waited before it.
    expect(read()).toEqual(["a", "a"]);
    write("a");
    expect(read()).toEqual(["a"]);
  });

  test("stay few, however many kinds alternate", () => {
    const { write, read } = slowStream();
    for (let count = 0; count < 1_000; count++) for (const text of ["a", "b", "c"]) write(text.repeat(1_000));
    expect(read().length).toBeLessThan(20);
  });

  test("are never lost: one that may have been read is written again", () => {
    const { write, read } = slowStream();
    write("log", false);
    write("ü");
    write("log".repeat(100), false);
    expect(read(2)).toEqual(["log", "ü"]);
    write("ü");
    expect(read()).toEqual(["log".repeat(100), "ü"]);
  });

  test("are forgotten, not remembered without bound, when the client never reads", () => {
    const { write, read } = slowStream();
    write("log", false);
    for (let kind = 0; kind <= 1_000; kind++) write(`change ${kind}`);
    write("change 1000");
    write("change 0");
    const written = read();
    expect(written.filter((text) => text === "change 0")).toHaveLength(2);
    expect(written.filter((text) => text === "change 1000")).toHaveLength(1);
  });

  test("do not keep equal messages of other kinds back", () => {
    const { write, read } = slowStream();
    for (let count = 0; count < 3; count++) write("log", false);
    expect(read()).toEqual(["log", "log", "log"]);
  });
});

test("a thousand updates of one resource do not cut the stream of a client that does not read", async () => {
  const subject = new Subject();
  const { fetch, close } = createMcpHandler(subject.server, { maxQueuedBytes: 50_000 });
  const post = ({ headers, body }: ReturnType<typeof call>): Promise<Response> =>
    fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: headers as Record<string, string>,
        body: JSON.stringify(body),
      }),
    );
  const uri = `test://note?${"x".repeat(4_000)}`;
  const response = await post(modern(1, "subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }));
  for (let count = 0; count < 1_000; count++) {
    subject.server.sendResourceUpdated({ uri });
    await Promise.resolve();
  }
  await turn();
  expect(subject.server.server.connections.size).toBe(1);
  expect(subject.reports).toEqual([]);
  const reader = response.body?.getReader();
  let text = "";
  while (text.split("notifications/resources/updated").length < 2) {
    const chunk = await reader?.read();
    text += new TextDecoder().decode(chunk?.value as Uint8Array | undefined);
  }
  await reader?.cancel();
  await close(0);
});

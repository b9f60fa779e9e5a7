/** A client that sends all of a body that is too large before it reads. */
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../../runtime/src/node.js";
import { Subject } from "./subject.js";

const MiB = 2 ** 20;

test.each([
  ["with a length", "content-length: 16777216", (text: string) => text],
  ["in chunks", "transfer-encoding: chunked", (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`],
])("%s: still receives the 413, and the connection is closed", async (_, length, framed) => {
  const served = await serveHttp(new Subject().server);
  onTestFinished(() => served.close());
  const socket = connect(Number(served.url.port), "127.0.0.1").setEncoding("utf8");
  let error: Error | undefined;
  socket.on("error", (cause) => (error = cause));
  socket.write(`POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`);
  for (let sent = 0; sent < 16 && !socket.destroyed; sent++)
    await new Promise((resolve) => socket.write(framed(" ".repeat(MiB)), () => setTimeout(resolve, 5)));
  if (length.includes("chunked")) socket.write("0\r\n\r\n");
  let answer = "";
  for await (const text of socket) answer += String(text);
  expect([error, answer.slice(0, 12)]).toEqual([undefined, "HTTP/1.1 413"]);
});

/** The floor over HTTP: reads the whole body, and writes head and reply at once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rawReply } from "./raw-reply.js";

const server = createServer((request, response) => {
  let body = "";
  request
    .setEncoding("utf8")
    .on("data", (text: string) => (body += text))
    .on("end", () => {
      const reply = rawReply(JSON.parse(body) as { readonly id?: number; readonly method: string });
      if (reply === undefined) response.writeHead(202).end();
      else
        response
          .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(reply) })
          .end(reply);
    });
}).listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

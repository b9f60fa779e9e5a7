/** The floors: read the whole body, JSON.parse, create the reply object, JSON.stringify. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { rawAnswer, type Request } from "../../shared/raw-answer.js";
import { kind, listen } from "./form.js";

export function echo(answer: (response: ServerResponse, text: string) => void): void {
  listen((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (text: string) => (body += text))
      .on("end", () => {
        const message = JSON.parse(body) as Request;
        if (kind === "sessions" && message.method === "initialize") response.setHeader("Mcp-Session-Id", randomUUID());
        if (message.id === undefined) response.writeHead(202).end();
        else answer(response, JSON.stringify(rawAnswer(message, kind === "stateless")));
      });
  });
}

export function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

export const streamHead = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" };

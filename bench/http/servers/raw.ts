import { echo, eventOf, streamHead } from "./echo.js";
import { reply } from "./form.js";

echo(
  reply === "json"
    ? (response, text) =>
        response
          .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
          .end(text)
    : // Writes head, event and end at once.
      (response, text) => response.writeHead(200, streamHead).end(eventOf(text)),
);

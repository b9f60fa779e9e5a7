/** The floor: bare node:http with responses that stay open. Reports its heap size; run it with `node --expose-gc`. */
import { heldBytes } from "../../shared/held-bytes.js";
import { listen } from "../servers/form.js";

const open = new Set<object>();
process.on("message", () => {
  void heldBytes().then((bytes) => process.send?.(bytes));
});
listen((request, response) => {
  request.resume();
  open.add(response);
  response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": open\n\n");
});

import { getRequestListener } from "@hono/node-server";
import { listen } from "./form.js";
import { fetch } from "./raw-handler.js";

listen(getRequestListener(fetch));

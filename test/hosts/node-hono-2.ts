/** Serves the fetch handler with `@hono/node-server` 2. */
import { serve } from "hono-node-server-2";
import { honoOptions, printUrl } from "./hono-app.js";

serve(honoOptions(), printUrl);

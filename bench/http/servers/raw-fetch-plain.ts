import { bridge } from "./bridge.js";
import { listen } from "./form.js";
import { fetch } from "./raw-handler.js";

listen(bridge(fetch));

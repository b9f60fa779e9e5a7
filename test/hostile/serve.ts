import { serveStdio } from "../../runtime/src/stdio.js";
import { hostileHandlers } from "./subject.js";

serveStdio(hostileHandlers().server);

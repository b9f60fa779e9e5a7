import { serveStdio } from "../../../../runtime/src/stdio.js";
import { weather } from "./weather.js";

serveStdio(weather(JSON.parse(process.argv[2] ?? "{}") as Parameters<typeof weather>[0]));

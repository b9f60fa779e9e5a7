import { serve } from "../serve.js";
import { filesServer } from "./server.js";

await serve(filesServer(process.env["FILES_FOLDER"] ?? process.cwd()));

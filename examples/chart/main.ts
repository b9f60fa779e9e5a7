import { serve } from "../serve.js";
import { chartServer } from "./server.js";

await serve(await chartServer());

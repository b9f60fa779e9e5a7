import { serve } from "../serve.js";
import { weatherServer } from "./server.js";

await serve(weatherServer());

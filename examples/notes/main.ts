import { serve } from "../serve.js";
import { notesServer } from "./server.js";

await serve(notesServer());

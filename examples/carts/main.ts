import { serve } from "../serve.js";
import { cartsServer } from "./server.js";

await serve(cartsServer());

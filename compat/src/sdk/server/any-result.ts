import * as z from "zod/v4";
import { addRuntimeSchemas } from "./runtime-schemas.js";

/** The result of a request of the protocol, which the runtime has checked. */
export const anyResult = z.looseObject({});

addRuntimeSchemas({ anyResult });

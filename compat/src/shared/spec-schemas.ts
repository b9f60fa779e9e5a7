import * as schemas from "../types/public-schemas.js";

/** The schemas of the types that the specifications name. The build defers their module to the first call (`scripts/deferred-modules.ts`). */
export function specSchemas(): typeof schemas {
  return schemas;
}

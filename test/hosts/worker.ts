/** Serves the fetch handler on workerd. There, what several requests share lives in a Durable Object. */
import { servedByFetch } from "./served.js";

interface Environment {
  readonly SERVED: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

// All that may be done before the first request.
const handler = servedByFetch();

export class Served {
  fetch(request: Request): Promise<Response> {
    return handler.fetch(request);
  }
}

export default {
  fetch(request: Request, { SERVED }: Environment): Promise<Response> {
    return SERVED.get(SERVED.idFromName("served")).fetch(request);
  },
};

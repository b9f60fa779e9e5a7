/** Serves the fetch handler on workerd. State that several requests share is kept in a Durable Object. */
import { servedByFetch } from "./served.js";

interface Environment {
  readonly SERVED: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

// Everything that workerd allows before the first request.
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

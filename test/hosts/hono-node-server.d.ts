/** Both versions are installed only in this folder, so that compiling the tests does not need them. */
declare module "hono-node-server-1" {
  export function serve(
    options: {
      readonly fetch: (request: Request) => Response | Promise<Response>;
      readonly hostname: string;
      readonly port: number;
    },
    listening: (address: { readonly port: number }) => void,
  ): void;
}

declare module "hono-node-server-2" {
  export { serve } from "hono-node-server-1";
}

import { McpServer } from "@mcpwright/runtime/server";
import { z } from "zod";
import { errorResult, textResult } from "../text-result.js";
import { Handles } from "./handles.js";

const minutes = 30;

/** A data URL, so that hosts do not have to fetch the icon from the network. */
const icon = (color: string) => ({
  src: `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='${color}'/%3E%3C/svg%3E`,
  mimeType: "image/svg+xml",
  sizes: ["any"],
});

const Cart = z.string().describe("The handle that create_cart returned");

/** A server that keeps state between calls, in any revision: each tool takes the handle of a cart. */
export function cartsServer(): McpServer {
  const server = new McpServer({ name: "carts", title: "Shopping carts", version: "1.0.0", icons: [icon("teal")] });
  const carts = new Handles<string[]>({ ttlMs: minutes * 60_000, maxPerOwner: 10 });
  // The text says what to do, because the model reads it.
  const gone = () =>
    errorResult(
      `There is no such cart. Carts expire after ${minutes} minutes without use. Call create_cart and add the articles again.`,
    );

  server.registerTool(
    "create_cart",
    {
      title: "Create a cart",
      description: `Creates a shopping cart and returns its handle. Pass the handle to the other tools. It expires after ${minutes} minutes without use.`,
      outputSchema: z.object({ cart: z.string() }),
      annotations: { destructiveHint: false, openWorldHint: false },
      icons: [icon("green")],
    },
    ({ principal }) => {
      const cart = carts.create(principal, []);
      return cart === undefined
        ? errorResult("You have too many carts. Check out one of them, or wait until one expires.")
        : { structuredContent: { cart } };
    },
  );

  server.registerTool(
    "add_to_cart",
    {
      title: "Add to a cart",
      description: "Adds an article to a shopping cart",
      inputSchema: z.object({ cart: Cart, article: z.string().min(1) }),
      annotations: { destructiveHint: false, openWorldHint: false },
      icons: [icon("navy")],
    },
    ({ cart, article }, { principal }) => {
      const articles = carts.use(principal, cart);
      if (!articles) return gone();
      articles.push(article);
      return textResult(`The cart contains ${articles.join(", ")}`);
    },
  );

  server.registerTool(
    "check_out",
    {
      title: "Check out",
      description: "Orders the articles of a shopping cart. The cart does not exist afterwards.",
      inputSchema: z.object({ cart: Cart }),
      annotations: { destructiveHint: true, openWorldHint: false },
      icons: [icon("maroon")],
    },
    ({ cart }, { principal }) => {
      const articles = carts.use(principal, cart);
      if (!articles) return gone();
      carts.delete(principal, cart);
      return textResult(`Ordered: ${articles.join(", ") || "nothing"}`);
    },
  );
  return server;
}

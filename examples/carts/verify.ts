import { pickIcon } from "@mcpwright/runtime/client";
import { everywhere, same, textOf, tool } from "../verify/everywhere.js";
import { Handles } from "./handles.js";

// The handles: bound to the caller, and valid until they are not used any more.
let time = 0;
const handles = new Handles<string>({ ttlMs: 1_000, maxPerOwner: 2, now: () => time });
const [ada, bob] = ["ada", "bob"].map((subject) => ({ issuer: "https://login.example", subject }));
const handle = handles.create(ada, "tea") ?? "";
same(Buffer.from(handle, "base64url").length * 8 >= 128, true);
same(
  [handles.use(ada, handle), handles.use(bob, handle), handles.use(undefined, handle)],
  ["tea", undefined, undefined],
);
handles.delete(bob, handle);
time = 999;
same(handles.use(ada, handle), "tea");
time = 1_998;
same(handles.use(ada, handle), "tea");
time = 2_998;
same(handles.use(ada, handle), undefined);
same([handles.create(ada, "a"), handles.create(ada, "b"), handles.create(ada, "c")].map(Boolean), [true, true, false]);
same(typeof handles.create(bob, "d"), "string");

await everywhere({ name: "carts", servers: [new URL("main.ts", import.meta.url)] }, async ([client]) => {
  const { structuredContent } = await client.callTool({ name: "create_cart" });
  const { cart } = structuredContent as { readonly cart: string };
  same(await tool(client, "add_to_cart", { cart, article: "tea" }), "The cart contains tea");
  same(await tool(client, "add_to_cart", { cart, article: "milk" }), "The cart contains tea, milk");
  same(await tool(client, "check_out", { cart }), "Ordered: tea, milk");
  const late = await client.callTool({ name: "add_to_cart", arguments: { cart, article: "tea" } });
  same([late.isError, textOf(late).includes("Call create_cart")], [true, true]);

  // A host shows the icons: it picks one that is safe to load.
  const { tools } = await client.listTools();
  same(
    tools.map(({ icons }) => pickIcon(icons, { size: 32 })?.src.startsWith("data:image/svg+xml,")),
    [true, true, true],
  );
  same(pickIcon(client.getServerVersion()?.icons)?.mimeType, "image/svg+xml");
});

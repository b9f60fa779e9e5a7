/** The same tools with zod alone: the cost that all compared libraries share. */
import { z } from "zod";

const sum = z.object({ a: z.number(), b: z.number() });
const order = z.object({ article: z.string(), pieces: z.number().int(), gift: z.boolean().optional() });
const greeting = z.object({ name: z.string() });

const { a, b }: z.infer<typeof sum> = sum.parse({ a: 19, b: 23 });
const { article, pieces }: z.infer<typeof order> = order.parse({ article: "tea", pieces: 2 });
const { name }: z.infer<typeof greeting> = greeting.parse({ name: "Ada" });
console.log("ok", a + b, article, pieces, name);

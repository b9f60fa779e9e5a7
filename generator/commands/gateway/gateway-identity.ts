import { type GatewayExtension, type GatewayOptions, skillsThrough, tasksThrough } from "@mcpwright/runtime/gateway";
import { packageRoot } from "../../shared/package-root.js";
import type { GatewaySettings } from "./config/gateway-config.js";

/** How servers see the gateway: what they show can depend on it. */
export function gatewayInfo({ name = "mcpwright-gateway" }: GatewaySettings): NonNullable<GatewayOptions["info"]> {
  return { name, version: packageRoot().version };
}

/** The extensions whose messages pass through the command. */
export function passedExtensions(): readonly GatewayExtension[] {
  return [tasksThrough(), skillsThrough()];
}

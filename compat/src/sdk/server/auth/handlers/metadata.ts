export { metadataHandler } from "../../../../express/metadata-router.js";

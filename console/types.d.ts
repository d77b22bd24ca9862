/** What `core/dom.js` notes on the nodes that it makes. */
interface Node {
  $key?: string;
  $kept?: boolean;
  $standsFor?: Node;
  $own?: Record<string, unknown>;
  $vars?: Record<string, unknown>;
}

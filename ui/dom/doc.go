// Package dom brings the browser's DOM in line with Vugu's node trees, touching only what changed.
//
// Vugu builds a tree of nodes on every event; its own renderer then rewrites the whole document. This one keeps the last
// tree and compares:
//
//	vugu.BuildResults --flatten--> tree of *node --patch(last tree)--> DOM calls
//
// Rules a component writer relies on:
//   - Siblings with a data-key attribute, and the root elements of a component, are matched by identity: they may be
//     inserted, removed and moved without being made anew. Other siblings are matched by position, and only where tag and
//     first class are equal: an element of another class is another thing, and does not take over focus or scroll offset.
//   - A component that returns the same *vugu.BuildOut as last time, and has no components inside, costs nothing.
//   - White space that only formats the template (it has a newline in it) makes no text nodes.
//   - Markup (InnerHTML) is what Vugu made of the static parts of a template. The texts of components are text nodes: the
//     generated code says so (internal/tool/vugu), and user text never passes through the HTML parser.
//   - A style attribute is applied through the CSS object model, which a Content-Security-Policy without
//     'unsafe-inline' allows.
//   - An attribute prop-NAME sets the property NAME instead (prop-value, prop-checked with "true" or "false"); it follows
//     the component also when the person has changed it meanwhile. Vugu's .NAME is not supported.
//   - Handlers run under the write lock of EventEnv and must not block.
package dom

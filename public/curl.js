'use strict';
// Puts this page's own address into the examples.
for (const e of document.querySelectorAll('pre')) e.textContent = e.textContent.replaceAll('HOST', location.origin);

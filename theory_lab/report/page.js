(() => {
  const bar = document.querySelector(".filter"), said = bar.querySelector("[role=status]");
  const text = bar.querySelector("input"), [outcome, stated] = bar.querySelectorAll("select");
  const claims = [...document.querySelectorAll("article.claim")], papers = document.querySelectorAll("section");
  const apply = () => {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const claim of claims) {
      const kind = (!outcome.value || claim.dataset.outcome === outcome.value) && (!stated.value || claim.dataset.stated === stated.value);
      claim.hidden = !(kind && claim.textContent.toLowerCase().includes(wanted));
      shown += !claim.hidden;
    }
    for (const paper of papers) paper.hidden = !paper.querySelector("article:not([hidden])");
    said.textContent = `${shown} of ${claims.length}`;
  };
  const open = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* a name that nobody encoded */ }
    const target = name && document.getElementById(name);
    if (!target) return;
    if (target.closest("[hidden]")) { text.value = outcome.value = stated.value = ""; apply(); }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  bar.style.display = "flex";
  for (const [element, event] of [[text, "input"], [outcome, "change"], [stated, "change"]]) element.addEventListener(event, apply);
  addEventListener("hashchange", open);
  apply();
  open();
})();

// The questions of a lesson: an answer is checked here, and opens the explanation. Without this script, the reader opens it.

/** Whether an answer is right: the text, or a number that is equal up to the digits that it has. */
function isRight(given, right) {
  const plain = (text) => text.trim().replaceAll(",", "").replace("\u2212", "-");
  const [number, wanted] = [plain(given), plain(right)];
  if (given.trim() === right.trim()) return true;
  if (number === "" || !Number.isFinite(Number(number)) || !Number.isFinite(Number(wanted))) return false;
  const decimals = (number.split(".")[1] ?? "").length;
  const away = Math.abs(Number(number) - Number(wanted));
  return decimals ? away <= 0.5 * 10 ** -decimals * (1 + 1e-9) : away === 0;
}

for (const form of document.querySelectorAll("form.question")) {
  const [verdict, answer] = [form.querySelector(".verdict"), form.nextElementSibling];
  form.querySelector(".answers").hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = String(new FormData(form).get("answer") ?? "");
    if (!given.trim()) {
      verdict.textContent = "Give an answer first.";
      return;
    }
    const right = form.dataset.right;
    form.dataset.state = isRight(given, right) ? "right" : "wrong";
    verdict.textContent = form.dataset.state === "right" ? "Right." : `No: the answer is ${right}.`;
    answer.open = true;
  });
}

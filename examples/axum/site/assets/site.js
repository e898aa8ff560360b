for (const image of document.querySelectorAll("img[data-src]")) image.src = image.dataset.src;
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => navigator.clipboard.writeText(button.nextElementSibling.textContent));
}

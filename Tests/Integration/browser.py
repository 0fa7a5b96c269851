"""A page in Debian's Chromium, headless: what it measures of its own layout, and pictures of it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from processes import ROOT

CHROMIUM = ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--no-first-run', '--virtual-time-budget=2000']
# Of print, CSS pixels: A4 less margins of 10 mm.
PRINTED = 718

MEASURE = r'''
<script>
addEventListener('load', () => {
  const texts = [], found = {overlaps: [], contrast: [], outside: [], smallest: 99, lowest: 21};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.trim() || node.parentElement.closest('script,style')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) texts.push({text: node.data.trim(), box, node});
  }
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const colour = t => t.match(/[\d.]+/g).map(Number);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = colour(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  for (const [i, a] of texts.entries()) {
    for (const b of texts.slice(i + 1)) {
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      // Boxes of lines reach a little beyond their letters.
      if (a.node !== b.node && wide > 1 && high > 4) found.overlaps.push([a.text, b.text]);
    }
    if (a.box.left < -1 || a.box.right > innerWidth + 1) found.outside.push(a.text);
    const parent = a.node.parentElement;
    const [one, two] = [light(colour(getComputedStyle(parent).color)), light(behind(parent))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    found.lowest = Math.min(found.lowest, ratio);
    found.smallest = Math.min(found.smallest, parseFloat(getComputedStyle(parent).fontSize));
    if (ratio < 4.5) found.contrast.push([a.text, ratio]);
  }
  for (const [i, a] of [...document.querySelectorAll('.pin')].entries())
    for (const b of [...document.querySelectorAll('.pin')].slice(i + 1)) {
      const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      if (Math.hypot(p.x - q.x, p.y - q.y) < p.height) found.overlaps.push([a.textContent, b.textContent]);
    }
  found.width = innerWidth;
  found.scroll = document.documentElement.scrollWidth;
  found.texts = texts.length;
  found.dark = light(behind(document.body)) < 0.5;
  found.requests = performance.getEntriesByType('resource').map(e => e.name);
  const result = document.createElement('pre');
  result.id = 'measured';
  result.textContent = JSON.stringify(found);
  document.body.append(result);
});
</script>
'''


def set_up():
    subprocess.run([ROOT / 'Tests' / 'Tools' / 'install-packages', 'browser'], check=True)


def run(folder, *words):
    profile = folder / 'chromium'
    done = subprocess.run([*CHROMIUM, f'--user-data-dir={profile}', *words], capture_output=True,
                          text=True, timeout=120)
    shutil.rmtree(profile, ignore_errors=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def scheme(is_dark):
    return f'--blink-settings=preferredColorScheme={0 if is_dark else 1}'


def measure(page, folder, width, is_dark=False, is_printed=False):
    """What a copy of the page, with a script in it, says of itself."""
    text = page.read_text()
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', text)
    if is_printed:
        text = text.replace('@media print', '@media all')
    # A window is not as narrow as a phone: a frame is.
    inner = folder / 'measured.html'
    inner.write_text(text.replace('</body>', MEASURE + '</body>'))
    outer = folder / 'frame.html'
    outer.write_text(
        f'<!DOCTYPE html><meta name="color-scheme" content="{"dark" if is_dark else "light"}">'
        f'<iframe src="measured.html" style="width:{width}px;height:3000px;border:0"></iframe>'
        '<script>addEventListener("load",()=>setTimeout(()=>{const p=document.createElement("pre");'
        'p.id="result";p.textContent=document.querySelector("iframe").contentDocument'
        '.getElementById("measured").textContent;document.body.append(p)},300))</script>')
    dom = run(folder, '--allow-file-access-from-files', '--window-size=1400,3200', scheme(is_dark),
              '--dump-dom', outer.as_uri())
    result = re.search(r'<pre id="result">(.*?)</pre>', dom, re.S)
    if not result:
        raise AssertionError(dom[-2000:])
    return json.loads(result[1].replace('&amp;', '&').replace('&lt;', '<').replace('&gt;', '>'))


def picture(page, folder, path, width, height, is_dark=False):
    run(folder, f'--window-size={width},{height}', scheme(is_dark), f'--screenshot={path}',
        Path(page).as_uri())


def printed(page, folder, path):
    run(folder, f'--print-to-pdf={path}', '--no-pdf-header-footer', Path(page).as_uri())

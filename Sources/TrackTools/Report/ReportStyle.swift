/// How a report looks: light, dark and printed, on a phone and on a wide screen. Nothing is loaded
/// from anywhere.
enum ReportStyle {
    static let text = """
        :root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#4a5560;--line:#c9d1d9;
        --panel:#f4f6f8;--s0:#3b4cc0;--s1:#1f78a8;--s2:#23834b;--s3:#b86a00;--s4:#c22a2a;
        --chart:#2f6db3;--fix3d:#23834b;--fix2d:#d19a1b;--none:#c22a2a;--linked:#7a8794;
        --pushed:#2f6db3;--recording:#7a4fc0;--clip:#23834b;--fail:#c22a2a;--failtext:#a11}
        @media (prefers-color-scheme:dark){:root{--back:#14181d;--text:#e8ecf0;--soft:#aab4bf;
        --line:#39424c;--panel:#1d232a;--s0:#93a4ff;--s1:#56c1e6;--s2:#63cf8d;--s3:#ffb454;
        --s4:#ff7272;--chart:#6cb0ff;--fix3d:#4fbf7b;--fix2d:#e5b94a;--none:#ff7272;
        --linked:#8b98a5;--pushed:#6cb0ff;--recording:#b99cff;--clip:#63cf8d;--fail:#ff7272;
        --failtext:#ff9c9c}}
        @media print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#bbb;
        --panel:#fff;--s0:#3b4cc0;--s1:#1f78a8;--s2:#23834b;--s3:#b86a00;--s4:#c22a2a;
        --chart:#2f6db3;--fix3d:#23834b;--fix2d:#d19a1b;--none:#c22a2a;--linked:#7a8794;
        --pushed:#2f6db3;--recording:#7a4fc0;--clip:#23834b;--fail:#c22a2a;--failtext:#a11}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        section,.camera{break-inside:avoid}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);
        font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
        main{max-width:70rem;margin:0 auto;padding:1rem}
        h1{font-size:1.4rem;margin:0 0 .2rem}h2{font-size:1.1rem;margin:1.6rem 0 .5rem}
        h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
        p{margin:.2rem 0 .6rem;color:var(--soft)}
        .totals{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.5rem;
        margin:.8rem 0 0}
        .totals div{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;
        padding:.45rem .6rem}
        dt{font-size:.8rem;color:var(--soft)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
        .map{position:relative;background:var(--panel);border:1px solid var(--line);
        border-radius:.4rem;margin:0 auto;max-width:100%}
        .map svg{display:block;width:100%;height:auto}
        .map path{fill:none;stroke-width:2.5px;vector-effect:non-scaling-stroke;
        stroke-linejoin:round;stroke-linecap:round}
        .pin{position:absolute;transform:translate(-50%,-50%);background:var(--text);
        color:var(--back);font-size:.75rem;line-height:1.3rem;min-width:1.3rem;height:1.3rem;
        border-radius:.65rem;text-align:center;padding:0 .3rem}
        .legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.85rem;color:var(--soft);
        margin:.5rem 0}
        .legend i{display:inline-block;width:1rem;height:.6rem;margin-right:.35rem;
        border-radius:.15rem}
        .scale{display:block;border:solid var(--soft);border-width:0 2px 2px;height:.5rem}
        .row{display:grid;grid-template-columns:5.2rem minmax(0,1fr);gap:.5rem;align-items:center}
        .row>b{font-weight:400;font-size:.8rem;color:var(--soft);text-align:right;
        overflow-wrap:anywhere}
        .row svg{display:block;width:100%;background:var(--panel)}
        .chart{margin-bottom:.6rem}
        .chart svg{height:7rem;border:solid var(--line);border-width:1px 0}
        .chart>b{display:flex;flex-direction:column;justify-content:space-between;height:7rem}
        .lane svg{height:.75rem;margin:.15rem 0}
        .axis{position:relative;height:1.3rem}
        .axis span{position:absolute;transform:translateX(-50%);font-size:.75rem;
        color:var(--soft);white-space:nowrap}
        .camera{margin:.8rem 0 1rem}
        .camera p{font-size:.85rem;margin:0 0 .2rem}
        .fail{color:var(--failtext);font-weight:600}
        table{border-collapse:collapse;width:100%;font-size:.9rem}
        th,td{text-align:left;padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);
        vertical-align:top;overflow-wrap:anywhere}
        th{font-weight:600;color:var(--soft);white-space:nowrap}
        td:first-child{white-space:nowrap}
        footer{margin-top:2rem;font-size:.8rem;color:var(--soft)}
        """
}

"""Goals as the benches print them: met, or missed by how much."""


def goal(what, value, bound, unit, least=False):
    """One line; `bound` is the most that is allowed, or the least that is wanted."""
    short = bound - value if least else value - bound
    verdict = 'met' if short <= 0 else f'MISSED by {short:.3g} {unit}'
    print(f'goal: {what} {"at least" if least else "at most"} {bound:g} {unit}: '
          f'{value:.3g} {unit}, {verdict}')

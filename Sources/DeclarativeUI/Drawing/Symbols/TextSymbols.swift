/// The symbols of text, lists and speech bubbles. `SymbolTable` describes the format.
let textSymbols = """
    ellipsis: s O4.6 12 1.9 O12 12 1.9 O19.4 12 1.9
    line.3.horizontal: l M3.2 6.2 H20.8 M3.2 12 H20.8 M3.2 17.8 H20.8
    line.horizontal.3 = line.3.horizontal
    line.3.horizontal.decrease: l M3.2 6.6 H20.8 M6.4 12 H17.6 M9.6 17.4 H14.4
    line.3.horizontal.button.angledtop.vertical.right: l M3.2 6.2 H11 M3.2 12 H11 M3.2 17.8 H11; a M14.6 6 H20.8 V18 L17.7 15.4 L14.6 18 Z
    list.bullet: s O4.2 6 1.6 O4.2 12 1.6 O4.2 18 1.6; l M9 6 H20.8 M9 12 H20.8 M9 18 H20.8
    list.dash: l M3.4 6 H4.6 M3.4 12 H4.6 M3.4 18 H4.6 M9 6 H20.8 M9 12 H20.8 M9 18 H20.8
    list.number: @_1 4.4 5.4 0.3; @_2 4.4 12 0.3; @_3 4.4 18.6 0.3; l M9.4 5.6 H20.8 M9.4 12 H20.8 M9.4 18.4 H20.8
    list.star: s0.3 T4.6 5.6 2.2 1 5 T4.6 12 2.2 1 5 T4.6 18.4 2.2 1 5; l M9.6 5.6 H20.8 M9.6 12 H20.8 M9.6 18.4 H20.8
    list.triangle: s0.4 W6.4 6 0 3.4 1.8 W6.4 12 0 3.4 1.8 W6.4 18 0 3.4 1.8; l M9.6 6 H20.8 M9.6 12 H20.8 M9.6 18 H20.8
    list.and.film: l M3 5.4 H13.6 M3 10.2 H9 M3 15 H7; a R11 10.6 10 10 1.2; d0.8 M14 10.8 V20.4 M18 10.8 V20.4
    checklist: l M2.9 6.4 L4.6 8.2 L7.8 4.4 M2.9 15.6 L4.6 17.4 L7.8 13.6; l M11.4 6.6 H21 M11.4 15.8 H21
    list.clipboard: @clipboard; d M8.4 11 H8.6 M12 11 H15.6 M8.4 14.4 H8.6 M12 14.4 H15.6 M8.4 17.8 H8.6 M12 17.8 H15.6
    list.bullet.clipboard = list.clipboard
    list.bullet.rectangle: a R2.9 4.6 18.2 14.8 2.4; d M10.4 9 H17.4 M10.4 12.2 H17.4 M10.4 15.4 H17.4; m O7 9 1.1 O7 12.2 1.1 O7 15.4 1.1
    list.bullet.below.rectangle: a R2.9 3.4 18.2 6.6 1.6; s O4.2 14.4 1.4 O4.2 19.4 1.4; l M8.4 14.4 H20.8 M8.4 19.4 H20.8
    list.bullet.indent: s O4.2 6 1.5 O8.2 12 1.5 O8.2 18 1.5; l M8.4 6 H20.8 M12.4 12 H20.8 M12.4 18 H20.8
    text: l M3.2 6.4 H20.8 M3.2 12 H20.8 M3.2 17.6 H13.6
    text.justify: l M3.2 4.6 H20.8 M3.2 9.5 H20.8 M3.2 14.5 H20.8 M3.2 19.4 H20.8
    text.alignleft: l M3.2 4.6 H20.8 M3.2 9.5 H13.6 M3.2 14.5 H20.8 M3.2 19.4 H13.6
    text.alignright = text.alignleft mirror
    text.aligncenter: l M3.2 4.6 H20.8 M6.8 9.5 H17.2 M3.2 14.5 H20.8 M6.8 19.4 H17.2
    text.append: l M3.2 5 H20.8 M3.2 10 H20.8 M3.2 15 H11 M17.4 13.4 V20.6 M13.8 17 H21
    text.insert: l M3.2 5 H20.8 M10.4 10.4 H20.8 M10.4 15.4 H20.8 M3.2 20 H20.8; s0.5 W7.4 12.9 0 4 2.4
    text.quote: l M4 4.6 V19.4 M8.4 6.4 H20.8 M8.4 12 H20.8 M8.4 17.6 H15.6
    text.below.photo: a R4.6 2.9 14.8 10.4 1.6; d M5 11.6 L9.4 7.8 L13 11.2 L15.4 9.4 L19 12; l M4 17 H20 M4 20.8 H13
    text.magnifyingglass: l M3.2 5 H20.8 M3.2 10 H9 M3.2 15 H7.6; l O15 14.4 4.4; l M18.2 17.6 L21 20.4
    heart.text: @heart 6.8 7 0.42; l0.9 M13.6 5 H20.8 M13.6 9.6 H20.8 M3.2 14.6 H20.8 M3.2 19.2 H15
    square.text: s R3 7.2 8 9.6 1; l0.9 M14.6 4.8 H20.8 M14.6 9.6 H20.8 M14.6 14.4 H20.8 M14.6 19.2 H20.8
    textformat: l M2.9 18.6 L7.8 5.4 L12.7 18.6 M4.6 14.2 H11; l O17.6 15.2 3.3; l M20.9 11.4 V18.8
    textformat.size: l M8.6 19 L14.8 4.6 L21 19 M10.8 14 H18.8; l M2.9 19 L5.8 12 L8.2 17.6 M3.9 16.4 H7.2
    textformat.abc: l0.85 M2.9 16.6 L5.4 8 L7.9 16.6 M3.8 13.6 H7; l0.85 M10.6 16.4 V8 H12.2 Q14.2 8 14.2 10 Q14.2 12 12.2 12 H10.6 M12.4 12 Q14.6 12 14.6 14.2 Q14.6 16.4 12.4 16.4 H10.6; l0.85 A19.2 12.2 3.6 -50 -310
    character: l M6 19.4 L12 4.6 L18 19.4 M8.2 14.4 H15.8
    bold: l M7 4.4 V19.6 M7 4.4 H12.4 Q16.4 4.4 16.4 8 Q16.4 11.6 12.4 11.6 H7 M12.6 11.6 Q17.6 11.6 17.6 15.6 Q17.6 19.6 12.6 19.6 H7
    italic: l M10.4 4.4 H17 M7 19.6 H13.6 M14 4.4 L10 19.6
    underline: l M7 3.6 V10.4 Q7 15.6 12 15.6 Q17 15.6 17 10.4 V3.6 M5.4 20.4 H18.6
    strikethrough: l M16.8 7.4 C16.2 5 14.4 3.8 12 3.8 C9.2 3.8 7.2 5.4 7.2 7.8 M7 16.4 C7.6 19 9.4 20.2 12 20.2 C15 20.2 17 18.6 17 16.2 M3.6 12 H20.4
    captions: l M3.4 8.6 H8.4 M12.8 8.6 H20.6 M3.4 15 H12.2 M16.6 15 H20.6
    quote: s0.5 M4 13 C4 9.4 6 7 9 6.4 C8.4 7.8 8.2 8.8 8.4 9.6 C10 10 10.8 11.2 10.8 12.8 C10.8 14.8 9.4 16 7.4 16 C5.2 16 4 14.8 4 13 Z; s0.5 M13.2 13 C13.2 9.4 15.2 7 18.2 6.4 C17.6 7.8 17.4 8.8 17.6 9.6 C19.2 10 20 11.2 20 12.8 C20 14.8 18.6 16 16.6 16 C14.4 16 13.2 14.8 13.2 13 Z
    bubble: @_bubble
    bubble.left = bubble
    bubble.right = bubble mirror
    bubble.middle.bottom: a M6.2 3.6 H17.8 Q21.1 3.6 21.1 6.9 V14 Q21.1 17.3 17.8 17.3 H15.2 L12 21 L8.8 17.3 H6.2 Q2.9 17.3 2.9 14 V6.9 Q2.9 3.6 6.2 3.6 Z
    quote.opening = quote
    note: a M5.6 3.2 H18.4 Q20.8 3.2 20.8 5.6 V14.4 L14.4 20.8 H5.6 Q3.2 20.8 3.2 18.4 V5.6 Q3.2 3.2 5.6 3.2 Z; d M14.4 20.4 V16.4 Q14.4 14.4 16.4 14.4 H20.4
    note.text: @note; d M7.4 7.8 H16.6 M7.4 11.4 H13
    bubble.left.and.bubble.right: a M4.4 3.4 H12 Q14 3.4 14 5.4 V10 Q14 12 12 12 H8 L5.2 14.4 V12 H4.4 Q2.6 12 2.6 10 V5.4 Q2.6 3.4 4.4 3.4 Z; l M16.8 8.4 H19.6 Q21.4 8.4 21.4 10.4 V15 Q21.4 17 19.6 17 H18.8 V20.4 L15.4 17 H12 Q10.2 17 10 15.4
    message: a M12 3.6 C17.4 3.6 21.2 6.8 21.2 11 C21.2 15.2 17.4 18.4 12 18.4 C11 18.4 10 18.3 9.2 18.1 C7.6 19.6 5.8 20.6 3.8 20.8 C4.8 19.6 5.4 18.2 5.4 16.6 C3.8 15.2 2.8 13.2 2.8 11 C2.8 6.8 6.6 3.6 12 3.6 Z
    envelope: a R2.9 5 18.2 14 2.2; d M3.6 6.8 L12 13.4 L20.4 6.8
    envelope.open: a M2.9 10 L12 3.6 L21.1 10 V18.4 Q21.1 20.6 18.9 20.6 H5.1 Q2.9 20.6 2.9 18.4 Z; d M3.4 10.6 L12 16 L20.6 10.6
    paperplane: a M21 3.4 L14 20.6 L10.6 13.4 L3 10.4 Z; d M20.4 4 L10.8 13.2
    newspaper: a R2.9 4.6 14.6 15 1.8; a M17.5 8.6 H21.1 V17.6 Q21.1 19.6 19.3 19.6 Q17.5 19.6 17.5 17.6 Z; d M6 8.4 H14.4 M11.8 12 H14.4 M6 15.8 H14.4; m R5.2 11 4 3 0.3
    book: a M12 6 C9.6 4.2 6.2 4 2.9 4.4 V18.6 C6.2 18.2 9.6 18.4 12 20.2 C14.4 18.4 17.8 18.2 21.1 18.6 V4.4 C17.8 4 14.4 4.2 12 6 Z; d M12 6.2 V19.6
    books.vertical: a R2.9 4 4.6 17 0.8 R7.5 4 4.6 17 0.8; a M13.6 5.4 L17.6 4.4 L21.2 19.6 L17.2 20.6 Z; d M3 8 H7 M8 8 H12
    text.book.closed: a M7.2 2.9 H19 V21.1 H7.2 Q5 21.1 5 18.9 V5.1 Q5 2.9 7.2 2.9 Z; d M9 7.4 H15.4 M9 11 H13; d M5.4 17.2 H18.6
    character.book.closed: a M7.2 2.9 H19 V21.1 H7.2 Q5 21.1 5 18.9 V5.1 Q5 2.9 7.2 2.9 Z; d M9.4 13.4 L12 6.4 L14.6 13.4 M10.4 11.2 H13.6; d M5.4 17.2 H18.6
    """

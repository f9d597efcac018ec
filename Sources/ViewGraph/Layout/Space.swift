import Foundation

/// The room between and around things: steps of the visual language (docs/design.md), points.
package enum Space {
    /// A line's width.
    package static let line: CGFloat = 1
    /// Between rows that touch, between a title and its byline.
    package static let hair: CGFloat = 2
    /// Between a picture and what it is called, around a small label.
    package static let tight: CGFloat = 4
    /// Between a symbol and its words, between a label and its control, in bars.
    package static let snug: CGFloat = 6
    /// Between controls; the default of stacks.
    package static let regular: CGFloat = 8
    /// Between groups of controls, inside cards and over pictures.
    package static let wide: CGFloat = 12
    /// From content to the edge of what holds it: rows, pages, cards.
    package static let edge: CGFloat = 16
    /// Inside what stands alone: dialogs.
    package static let page: CGFloat = 24
}

/// How round corners are: steps of the visual language, points.
package enum Radius {
    /// Small pictures and labels over a picture.
    package static let small: CGFloat = 4
    /// Buttons, fields, rows and their focus rings: as GTK's default theme has them.
    package static let control: CGFloat = 5
    /// Cards, boxes, panels over a picture.
    package static let card: CGFloat = 10
    /// Dialogs.
    package static let window: CGFloat = 12
}

/// Sides of symbols that stand without words: steps of the visual language, points.
package enum IconSize {
    /// In a button of a bar.
    package static let control: CGFloat = 16
    /// In the button that matters most of a bar.
    package static let prominent: CGFloat = 20
    /// In a button that stands alone over a picture.
    package static let large: CGFloat = 34
    /// Over words that explain why there is nothing to see.
    package static let hero: CGFloat = 44
}

/// What controls take at least: steps of the visual language, points.
package enum ControlExtent {
    /// A button, a field, a row's control: GTK's default theme's.
    package static let regular: CGFloat = 34
    /// A button is no narrower.
    package static let leastWidth: CGFloat = 36
    /// A bar above or below a page.
    package static let bar: CGFloat = 46
    /// A bar of controls over a picture's lower end, with the space around it.
    package static let overPicture: CGFloat = bar + Space.edge
    /// A box to tick, a round mark to choose.
    package static let mark: CGFloat = 14
    /// A button without ground reaches so far around its symbol, each side.
    package static let reach: CGFloat = 5
}

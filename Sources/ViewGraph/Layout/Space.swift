import Foundation

/// The spacings of the visual language (docs/design.md), in points.
package enum Space {
    /// The width of a line.
    package static let line: CGFloat = 1
    /// The spacing between adjacent rows, and between a title and its byline.
    package static let hair: CGFloat = 2
    /// The spacing between an image and its caption, and around a small label.
    package static let tight: CGFloat = 4
    /// The spacing between a symbol and its text, between a label and its control, and in bars.
    package static let snug: CGFloat = 6
    /// The spacing between controls, which is also the default of stacks.
    package static let regular: CGFloat = 8
    /// The spacing between groups of controls, inside cards, and over videos and images.
    package static let wide: CGFloat = 12
    /// The spacing between content and the edge of its container: rows, pages, cards.
    package static let edge: CGFloat = 16
    /// The spacing inside dialogs.
    package static let page: CGFloat = 24
}

/// The corner radii of the visual language, in points.
package enum Radius {
    /// The radius of small images, and of labels over a video or an image.
    package static let small: CGFloat = 4
    /// The radius of buttons, fields, rows and their focus rings, as in GTK's default theme.
    package static let control: CGFloat = 5
    /// The radius of cards, boxes, and panels over a video or an image.
    package static let card: CGFloat = 10
    /// The radius of dialogs.
    package static let window: CGFloat = 12
}

/// The sizes of symbols without text in the visual language, in points.
package enum IconSize {
    /// The size in a button of a bar.
    package static let control: CGFloat = 16
    /// The size in the most important button of a bar.
    package static let prominent: CGFloat = 20
    /// The size in a single button over a video or an image.
    package static let large: CGFloat = 34
    /// The size above a text that explains why there is no content.
    package static let hero: CGFloat = 44
    /// The size in a phone's tab bar, above the title.
    package static let tab: CGFloat = 17
}

/// The font sizes of the visual language that belong to no role, in points.
package enum TitleSize {
    /// The size in a phone's tab bar, below the icon.
    package static let tab: CGFloat = 10
}

/// The minimum sizes of controls in the visual language, in points.
package enum ControlExtent {
    /// The minimum height of a button, a field or a row's control, as in GTK's default theme.
    package static let regular: CGFloat = 34
    /// The minimum width of a button.
    package static let leastWidth: CGFloat = 36
    /// The height of a bar above or below a page.
    package static let bar: CGFloat = 46
    /// The height of a bar of controls at the bottom of a video, with the space around it.
    package static let overPicture: CGFloat = bar + Space.edge
    /// The size of a checkbox or a radio button.
    package static let mark: CGFloat = 14
    /// The distance by which a button without background extends beyond its symbol, on each side.
    package static let reach: CGFloat = 5
}

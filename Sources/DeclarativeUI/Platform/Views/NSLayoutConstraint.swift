import Foundation

/// The priority of a layout constraint. Modeled on UIKit's type.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// The priority, from 1 to 1000.
    public let rawValue: Float
    /// Creates a priority from a number, clamped to 1…1000. A number that is not finite becomes 1000.
    public init(rawValue: Float) { self.rawValue = rawValue.isFinite ? min(1000, max(1, rawValue)) : 1000 }
    /// Creates a priority from a number, clamped to 1…1000. A number that is not finite becomes 1000.
    public init(_ rawValue: Float) { self.init(rawValue: rawValue) }
    /// The priorities of a required constraint, of an important one, and of an unimportant one.
    public static let required = UILayoutPriority(1000), defaultHigh = UILayoutPriority(750),
        defaultLow = UILayoutPriority(250)
}

/// A rule for the positions and sizes of one or two views. Modeled on UIKit's type.
///
/// A view lays out those of its subviews whose `translatesAutoresizingMaskIntoConstraints` is false. The view uses the
/// active constraints between these subviews and itself. Constraints with other views have no effect. The leading edge
/// is always the left edge.
@MainActor @preconcurrency
public final class NSLayoutConstraint {
    /// An edge, a center or a dimension of a view.
    public enum Attribute: Int, Sendable {
        /// The attributes, with UIKit's raw values.
        case left = 1, right, top, bottom, leading, trailing, width, height, centerX, centerY
        /// No attribute: the constraint applies to the first view alone.
        case notAnAttribute = 0

        var isAcross: Bool {
            switch self {
            case .left, .right, .leading, .trailing, .width, .centerX: true
            case .top, .bottom, .height, .centerY, .notAnAttribute: false
            }
        }
        /// The factors of a view's start and length. The sum of the two products is the attribute's value.
        var shares: (start: Double, length: Double) {
            switch self {
            case .left, .leading, .top: (1, 0)
            case .right, .trailing, .bottom: (1, 1)
            case .centerX, .centerY: (1, 0.5)
            case .width, .height: (0, 1)
            case .notAnAttribute: (0, 0)
            }
        }
    }
    /// The relation between the two sides of a constraint.
    public enum Relation: Int, Sendable {
        /// The relations, with UIKit's raw values.
        case lessThanOrEqual = -1, equal, greaterThanOrEqual
    }

    /// The first view.
    public private(set) weak var firstItem: UIView?
    /// The attribute of the first view.
    public let firstAttribute: Attribute
    /// The relation between the two sides of the constraint.
    public let relation: Relation
    /// The second view, or nil if there is none.
    public private(set) weak var secondItem: UIView?
    /// The attribute of the second view.
    public let secondAttribute: Attribute
    /// The factor of the second view's attribute.
    public let multiplier: CGFloat
    /// The distance added to the second view's attribute, in points.
    public var constant: CGFloat {
        didSet { if constant != oldValue, isActive { changed() } }
    }
    /// The priority of the constraint.
    public var priority = UILayoutPriority.required {
        didSet { if priority != oldValue, isActive { changed() } }
    }
    /// A name for the app's own use.
    public var identifier: String?
    /// Whether the constraint has an effect.
    public var isActive = false {
        didSet {
            guard isActive != oldValue else { return }
            for view in [firstItem, secondItem].compactMap({ $0 }) {
                view.activeConstraints.removeAll { $0 === self }
                if isActive { view.activeConstraints.append(self) }
            }
            changed()
        }
    }

    /// Creates a constraint, which is inactive at first: `attr1` of `view1` has the relation to `attr2` of `view2`
    /// multiplied by `multiplier`, plus `c` points. If `view2` is nil, `attr2` and `multiplier` have no effect.
    public init(
        item view1: UIView, attribute attr1: Attribute, relatedBy relation: Relation, toItem view2: UIView?,
        attribute attr2: Attribute, multiplier: CGFloat = 1, constant c: CGFloat = 0
    ) {
        (firstItem, firstAttribute, self.relation) = (view1, attr1, relation)
        (secondItem, secondAttribute) = (view2, view2 == nil ? .notAnAttribute : attr2)
        (self.multiplier, constant) = (multiplier, c)
    }
    /// Activates constraints.
    public static func activate(_ constraints: [NSLayoutConstraint]) { for one in constraints { one.isActive = true } }
    /// Deactivates constraints.
    public static func deactivate(_ constraints: [NSLayoutConstraint]) {
        for one in constraints { one.isActive = false }
    }

    private func changed() {
        for view in [firstItem, secondItem].compactMap({ $0 }) {
            view.setLayoutNeeded()
            view.superview?.setLayoutNeeded()
        }
    }
}

/// An edge, a center or a dimension of a view, with methods that create constraints. Modeled on UIKit's type.
@MainActor @preconcurrency
public class NSLayoutAnchor<AnchorType> {
    let view: UIView
    let attribute: NSLayoutConstraint.Attribute
    init(_ view: UIView, _ attribute: NSLayoutConstraint.Attribute) {
        (self.view, self.attribute) = (view, attribute)
    }
    final func rule(
        _ relation: NSLayoutConstraint.Relation, _ other: NSLayoutAnchor<AnchorType>?, _ constant: CGFloat,
        _ multiplier: CGFloat = 1
    ) -> NSLayoutConstraint {
        NSLayoutConstraint(
            item: view, attribute: attribute, relatedBy: relation, toItem: other?.view,
            attribute: other?.attribute ?? .notAnAttribute, multiplier: multiplier, constant: constant)
    }
    /// Returns a constraint with which this anchor is equal to `anchor` plus `constant` points.
    public func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
        rule(.equal, anchor, c)
    }
    /// Returns a constraint with which this anchor is at least `anchor` plus `constant` points.
    public func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.greaterThanOrEqual, anchor, c) }
    /// Returns a constraint with which this anchor is at most `anchor` plus `constant` points.
    public func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.lessThanOrEqual, anchor, c) }
}
/// A horizontal position of a view. Modeled on UIKit's type.
@MainActor @preconcurrency public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
/// A vertical position of a view. Modeled on UIKit's type.
@MainActor @preconcurrency public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}
/// A width or a height of a view. Modeled on UIKit's type.
@MainActor @preconcurrency public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// Returns a constraint with which the dimension is equal to `c` points.
    public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { rule(.equal, nil, c) }
    /// Returns a constraint with which the dimension is at least `c` points.
    public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        rule(.greaterThanOrEqual, nil, c)
    }
    /// Returns a constraint with which the dimension is at most `c` points.
    public func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        rule(.lessThanOrEqual, nil, c)
    }
    /// Returns a constraint with which the dimension is equal to `anchor` multiplied by `m`, plus `c` points.
    public func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.equal, anchor, c, m) }
}

/// The safe area or the margins of a view, which are the whole view here. Modeled on UIKit's type.
@MainActor @preconcurrency
public struct UILayoutGuide {
    let view: UIView
    /// The anchors of the view itself.
    public var leadingAnchor: NSLayoutXAxisAnchor { view.leadingAnchor }
    public var trailingAnchor: NSLayoutXAxisAnchor { view.trailingAnchor }
    public var leftAnchor: NSLayoutXAxisAnchor { view.leftAnchor }
    public var rightAnchor: NSLayoutXAxisAnchor { view.rightAnchor }
    public var topAnchor: NSLayoutYAxisAnchor { view.topAnchor }
    public var bottomAnchor: NSLayoutYAxisAnchor { view.bottomAnchor }
    public var centerXAnchor: NSLayoutXAxisAnchor { view.centerXAnchor }
    public var centerYAnchor: NSLayoutYAxisAnchor { view.centerYAnchor }
    public var widthAnchor: NSLayoutDimension { view.widthAnchor }
    public var heightAnchor: NSLayoutDimension { view.heightAnchor }
}

extension UIView {
    /// The leading edge, which is always the left edge.
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    /// The trailing edge, which is always the right edge.
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    /// The left edge.
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .left) }
    /// The right edge.
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .right) }
    /// The top edge.
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    /// The bottom edge.
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    /// The horizontal center.
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .centerX) }
    /// The vertical center.
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .centerY) }
    /// The width.
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    /// The height.
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
    /// The safe area, which is the whole view, because GTK reports no display areas that must stay free.
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(view: self) }
    /// The area inside the margins, which is the whole view, because views have no margins of their own.
    public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide(view: self) }
    /// The active constraints that refer to this view.
    public var constraints: [NSLayoutConstraint] { activeConstraints }
    /// Activates a constraint.
    public func addConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = true }
    /// Activates constraints.
    public func addConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.activate(constraints) }
    /// Deactivates a constraint.
    public func removeConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = false }
    /// Deactivates constraints.
    public func removeConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.deactivate(constraints) }
}

import Foundation

/// How much a constraint counts beside others. UIKit's type.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// 1 to 1000.
    public let rawValue: Float
    /// Makes a priority of a number; clamped to 1…1000.
    public init(rawValue: Float) { self.rawValue = rawValue.isFinite ? min(1000, max(1, rawValue)) : 1000 }
    /// Makes a priority of a number; clamped to 1…1000.
    public init(_ rawValue: Float) { self.init(rawValue: rawValue) }
    /// Must hold; counts a lot; counts little.
    public static let required = UILayoutPriority(1000), defaultHigh = UILayoutPriority(750),
        defaultLow = UILayoutPriority(250)
}

/// A rule for the places and sizes of a view and another one. UIKit's type; main actor.
///
/// A view lays out those of its views whose `translatesAutoresizingMaskIntoConstraints` is false by the active rules
/// among them and itself. Rules across other views have no effect. Leading is left.
@MainActor @preconcurrency
public final class NSLayoutConstraint {
    /// A place or a side of a view.
    public enum Attribute: Int, Sendable {
        /// UIKit's numbers.
        case left = 1, right, top, bottom, leading, trailing, width, height, centerX, centerY
        /// None: the rule is for the first view alone.
        case notAnAttribute = 0

        var isAcross: Bool {
            switch self {
            case .left, .right, .leading, .trailing, .width, .centerX: true
            case .top, .bottom, .height, .centerY, .notAnAttribute: false
            }
        }
        /// Its shares of a view's beginning and of its length.
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
    /// Less, the same or more.
    public enum Relation: Int, Sendable {
        /// UIKit's numbers.
        case lessThanOrEqual = -1, equal, greaterThanOrEqual
    }

    /// The first view.
    public private(set) weak var firstItem: UIView?
    /// What of the first view the rule is for.
    public let firstAttribute: Attribute
    /// Less, the same or more.
    public let relation: Relation
    /// The second view; nil: none.
    public private(set) weak var secondItem: UIView?
    /// What of the second view the rule is for.
    public let secondAttribute: Attribute
    /// The second view's part counts so many times.
    public let multiplier: CGFloat
    /// Points that are added.
    public var constant: CGFloat {
        didSet { if constant != oldValue, isActive { changed() } }
    }
    /// How much the rule counts beside others.
    public var priority = UILayoutPriority.required {
        didSet { if priority != oldValue, isActive { changed() } }
    }
    /// A name for the app's own use.
    public var identifier: String?
    /// Whether the rule holds.
    public var isActive = false {
        didSet {
            guard isActive != oldValue else { return }
            for view in [firstItem, secondItem].compactMap({ $0 }) {
                view.rules.removeAll { $0 === self }
                if isActive { view.rules.append(self) }
            }
            changed()
        }
    }

    /// Makes a rule, which does not hold until it is active.
    public init(
        item view1: UIView, attribute attr1: Attribute, relatedBy relation: Relation, toItem view2: UIView?,
        attribute attr2: Attribute, multiplier: CGFloat = 1, constant c: CGFloat = 0
    ) {
        (firstItem, firstAttribute, self.relation) = (view1, attr1, relation)
        (secondItem, secondAttribute) = (view2, view2 == nil ? .notAnAttribute : attr2)
        (self.multiplier, constant) = (multiplier, c)
    }
    /// Makes rules hold.
    public static func activate(_ constraints: [NSLayoutConstraint]) { for one in constraints { one.isActive = true } }
    /// Makes rules hold no more.
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

/// A place or a side of a view, to make rules of. UIKit's type.
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
    /// At the same place, `constant` points on.
    public func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0) -> NSLayoutConstraint {
        rule(.equal, anchor, c)
    }
    /// Not before a place, `constant` points on.
    public func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.greaterThanOrEqual, anchor, c) }
    /// Not after a place, `constant` points on.
    public func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.lessThanOrEqual, anchor, c) }
}
/// A place across. UIKit's type.
@MainActor @preconcurrency public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
/// A place up and down. UIKit's type.
@MainActor @preconcurrency public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}
/// A side. UIKit's type.
@MainActor @preconcurrency public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// So many points.
    public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint { rule(.equal, nil, c) }
    /// At least so many points.
    public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        rule(.greaterThanOrEqual, nil, c)
    }
    /// At most so many points.
    public func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        rule(.lessThanOrEqual, nil, c)
    }
    /// So many times another side, and points.
    public func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat, constant c: CGFloat = 0)
        -> NSLayoutConstraint
    { rule(.equal, anchor, c, m) }
}

/// The part of a view that is kept clear of its edges. UIKit's type: the whole view here.
@MainActor @preconcurrency
public struct UILayoutGuide {
    let view: UIView
    /// The view's own edges, sides and middles.
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
    /// The leading edge, which is the left one here.
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    /// The trailing edge, which is the right one here.
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    /// The left edge.
    public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .left) }
    /// The right edge.
    public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .right) }
    /// The upper edge.
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    /// The lower edge.
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    /// The middle across.
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .centerX) }
    /// The middle up and down.
    public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .centerY) }
    /// The width.
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    /// The height.
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
    /// The whole view: no display that GTK serves has areas to keep clear of.
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(view: self) }
    /// The whole view: margins are the app's affair here.
    public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide(view: self) }
    /// The active rules that the view is in.
    public var constraints: [NSLayoutConstraint] { rules }
    /// Makes a rule hold.
    public func addConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = true }
    /// Makes rules hold.
    public func addConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.activate(constraints) }
    /// Makes a rule hold no more.
    public func removeConstraint(_ constraint: NSLayoutConstraint) { constraint.isActive = false }
    /// Makes rules hold no more.
    public func removeConstraints(_ constraints: [NSLayoutConstraint]) { NSLayoutConstraint.deactivate(constraints) }
}

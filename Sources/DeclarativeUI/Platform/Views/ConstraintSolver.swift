import Foundation

/// A solver of layout constraints by weighted least squares.
///
/// A rule with a greater weight is met more closely. Rules that contradict each other share the error.
struct ConstraintSolver {
    /// A weighted sum of unknown numbers and its required value.
    struct Rule {
        var shares: [Int: Double]
        var value: Double
        var relation: NSLayoutConstraint.Relation
        var weight: Double
    }
    private let count: Int
    private var rules: [Rule] = []

    init(count: Int) { self.count = count }
    mutating func add(_ rule: Rule) { rules.append(rule) }

    /// Returns the numbers with the least squared error.
    func solution() -> [Double] {
        var equations = Set(rules.indices.filter { rules[$0].relation == .equal })
        var numbers = solve(equations)
        // A violated inequality is treated as an equation from now on. Each round only adds equations.
        for _ in 0..<8 {
            let violated = rules.indices.filter { index in
                guard !equations.contains(index) else { return false }
                let rule = rules[index]
                let sum = rule.shares.reduce(0) { $0 + $1.value * numbers[$1.key] }
                return rule.relation == .lessThanOrEqual ? sum > rule.value + 0.01 : sum < rule.value - 0.01
            }
            if violated.isEmpty { break }
            equations.formUnion(violated)
            numbers = solve(equations)
        }
        return numbers
    }

    private func solve(_ equations: Set<Int>) -> [Double] {
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
        for index in equations {
            let rule = rules[index]
            for (row, a) in rule.shares {
                for (column, b) in rule.shares { matrix[row][column] += rule.weight * a * b }
                matrix[row][count] += rule.weight * a * rule.value
            }
        }
        // An unknown number without rules becomes 0.
        for row in 0..<count { matrix[row][row] += 1e-9 }
        for pivot in 0..<count {
            guard let best = (pivot..<count).max(by: { abs(matrix[$0][pivot]) < abs(matrix[$1][pivot]) }),
                abs(matrix[best][pivot]) > 1e-30
            else { continue }
            matrix.swapAt(pivot, best)
            for row in 0..<count where row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                guard factor != 0 else { continue }
                for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return (0..<count).map { row in
            let number = matrix[row][row] == 0 ? 0 : matrix[row][count] / matrix[row][row]
            return number.isFinite ? number : 0
        }
    }
}

extension UIView {
    /// Sets the frames of the subviews that are laid out by constraints.
    func layOutByConstraints() {
        let constrained = subviews.filter { !$0.translatesAutoresizingMaskIntoConstraints }
        let activeRules = (constrained + [self]).flatMap(\.activeConstraints)
        guard !constrained.isEmpty, !activeRules.isEmpty else { return }
        var seen: Set<ObjectIdentifier> = []
        let unique = activeRules.filter { seen.insert(ObjectIdentifier($0)).inserted }
        let horizontal = axis(constrained, unique, across: nil)
        let vertical = axis(constrained, unique, across: horizontal)
        for (index, view) in constrained.enumerated() {
            view.frame = CGRect(
                x: horizontal[2 * index], y: vertical[2 * index], width: max(0, horizontal[2 * index + 1]),
                height: max(0, vertical[2 * index + 1]))
        }
    }

    /// Returns the start and the length of each view on one axis, as pairs.
    /// - Parameter across: The result for the horizontal axis, or nil while that axis is solved. Heights can depend on
    ///   widths.
    private func axis(_ views: [UIView], _ all: [NSLayoutConstraint], across: [Double]?) -> [Double] {
        let isAcross = across == nil
        var solver = ConstraintSolver(count: 2 * views.count)
        let indices = Dictionary(uniqueKeysWithValues: views.enumerated().map { (ObjectIdentifier($1), $0) })
        for (index, view) in views.enumerated() {
            let own = isAcross ? view.intrinsicContentSize.width : view.intrinsicContentSize.height
            // Without other rules, a view has its intrinsic size.
            if own >= 0 {
                solver.add(
                    ConstraintSolver.Rule(shares: [2 * index + 1: 1], value: own, relation: .equal, weight: 1e-3))
            }
        }
        for rule in all {
            let first = rule.firstAttribute.isAcross
            let second = rule.secondAttribute == .notAnAttribute ? first : rule.secondAttribute.isAcross
            // A rule that connects both axes applies to the vertical one, which is solved second.
            guard first == second ? first == isAcross : !isAcross else { continue }
            var shares: [Int: Double] = [:]
            var value = Double(rule.constant)
            // Returns false for a view that is neither this view nor one of its constrained subviews.
            func add(_ item: UIView?, _ attribute: NSLayoutConstraint.Attribute, _ factor: Double) -> Bool {
                let factors = attribute.shares
                if item === self {
                    value -= factor * factors.length * (attribute.isAcross ? bounds.width : bounds.height)
                    return true
                }
                guard let item, let index = indices[ObjectIdentifier(item)] else { return false }
                if let across, attribute.isAcross {
                    value -= factor * (factors.start * across[2 * index] + factors.length * across[2 * index + 1])
                    return true
                }
                shares[2 * index, default: 0] += factor * factors.start
                shares[2 * index + 1, default: 0] += factor * factors.length
                return true
            }
            guard add(rule.firstItem, rule.firstAttribute, 1) else { continue }
            if rule.secondAttribute != .notAnAttribute {
                guard add(rule.secondItem, rule.secondAttribute, -Double(rule.multiplier)) else { continue }
            }
            // A required rule has more weight than 1000 other rules together.
            let weight = rule.priority == .required ? 1e6 : pow(Double(rule.priority.rawValue) / 100, 3)
            solver.add(
                ConstraintSolver.Rule(shares: shares, value: value, relation: rule.relation, weight: weight))
        }
        return solver.solution()
    }
}

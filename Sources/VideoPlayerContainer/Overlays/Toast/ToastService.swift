import Zoetrope

/// Short messages that disappear by themselves.
///
/// ```swift
/// context.toast.configure { message in
///     Text(verbatim: "\(message)").padding(8).background(.black.opacity(0.6)).cornerRadius(8)
/// }
/// context.toast.toast("The link was copied")
/// ```
public class ToastService: Service {
    struct Toast: Identifiable {
        let id: Int
        let object: Any
    }

    /// The visible messages; the newest is the last.
    @Published private(set) var toasts: [Toast] = []
    @Published private(set) var insets = EdgeInsets(top: 48, leading: 10, bottom: 48, trailing: 0)
    @Published private(set) var lineSpacing: CGFloat = 8
    @Published private(set) var content: ((Any) -> AnyView)?
    private var duration: TimeInterval? = 3
    private var count = 0
    private var removalTimers: [Int: AnyCancellable] = [:]

    public required init(_ context: Context) { super.init(context) }

    /// Sets how long new messages stay visible. Default: 3 seconds. With `.never`, they stay as long as the context.
    /// With a duration of 0 or less, they disappear immediately.
    public func configure(duration: DispatchTimeInterval) { self.duration = duration.seconds }

    /// Sets the insets of the messages, in points. Default: 48 at the top and the bottom, 10 at the leading edge.
    public func configure(insets: EdgeInsets) { self.insets = insets }

    /// Sets the spacing between messages, in points, at least 0. Default: 8, which also replaces a value that is not
    /// finite.
    public func configure(lineSpacing: CGFloat) { self.lineSpacing = lineSpacing.isFinite ? max(0, lineSpacing) : 8 }

    /// Sets the closure that returns the view of a message. Before it is set, no message is visible.
    public func configure(content: @escaping (Any) -> some View) { self.content = { AnyView(content($0)) } }

    /// Shows a message with an object, which `configure(content:)` turns into a view. Several messages are stacked,
    /// with the newest at the bottom.
    public func toast(_ object: Any) {
        count += 1
        let id = count
        withAnimation { toasts.append(Toast(id: id, object: object)) }
        guard let duration, let timer = context?.dependency(\.timer) else { return }
        removalTimers[id] = timer.after(duration) { [weak self] in
            guard let self else { return }
            removalTimers[id] = nil
            withAnimation { self.toasts.removeAll { $0.id == id } }
        }
    }
}

extension DispatchTimeInterval {
    /// The interval in seconds; nil for `.never`.
    fileprivate var seconds: TimeInterval? {
        switch self {
        case .seconds(let count): Double(count)
        case .milliseconds(let count): Double(count) / 1e3
        case .microseconds(let count): Double(count) / 1e6
        case .nanoseconds(let count): Double(count) / 1e9
        case .never: nil
        @unknown default: 3
        }
    }
}

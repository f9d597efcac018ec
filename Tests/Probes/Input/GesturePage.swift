import DeclarativeUI
import Foundation

extension InputProbe {
    /// A page with nested and adjacent gestures (argument `gestures`), in rows of fields of 150 × 100 points.
    struct GesturePage: View {
        @GestureState private var isHeld = false
        @GestureState private var isCut = false
        @GestureState private var isMoved = false
        @State private var hasNoDrag = false
        @State private var isOff = false
        @State private var isGone = false

        var body: some View {
            VStack(spacing: 0) {
                HStack(spacing: 0) {
                    Color.red.onTapGesture(count: 2) { say("double A") }.onTapGesture { say("single A") }
                    Color.green.onTapGesture { say("tap B") }
                        .gesture(
                            DragGesture().onEnded {
                                say(
                                    "drag B \(Int($0.translation.width.rounded())) \(Int($0.translation.height.rounded()))"
                                )
                            })
                    Color.blue.gesture(
                        LongPressGesture(minimumDuration: 0.3).sequenced(before: DragGesture())
                            .onChanged { if case .second(true, nil) = $0 { say("pressed C") } }
                            .onEnded { value in
                                if case .second(_, let drag?) = value {
                                    say("sequence C \(Int(drag.translation.width.rounded()))")
                                }
                            })
                    Color.yellow.gesture(
                        TapGesture(count: 2).exclusively(before: TapGesture()).onEnded { value in
                            switch value {
                            case .first: say("double D")
                            case .second: say("single D")
                            }
                        })
                }
                .frame(width: 600, height: 100)
                HStack(spacing: 0) {
                    Color.orange.onTapGesture { say("inner E") }.simultaneousGesture(
                        TapGesture().onEnded { say("outer E") })
                    Color.purple.onTapGesture { say("inner F") }.gesture(
                        TapGesture().onEnded { say("outer F") }, including: .gesture)
                    Color.brown.gesture(
                        DragGesture(minimumDistance: 0).updating($isHeld) { _, state, _ in state = true }
                    )
                    .onChange(of: isHeld) { say("held \($0)") }
                    Color.pink.onTapGesture { say("inner H") }.highPriorityGesture(
                        TapGesture().onEnded { say("high H") })
                }
                .frame(width: 600, height: 100)
                HStack(spacing: 0) {
                    // The drag disables its gesture.
                    Color.indigo.gesture(
                        DragGesture(minimumDistance: 0).updating($isCut) { _, state, _ in state = true }
                            .onChanged { _ in hasNoDrag = true },
                        isEnabled: !hasNoDrag
                    )
                    .onChange(of: isCut) { say("cut K \($0)") }
                    Color.cyan.onLongPressGesture {
                    } onPressingChanged: { isPressed in
                        say("pressing I \(isPressed)")
                        if isPressed { isOff = true }
                    }
                    .disabled(isOff)
                    .onChange(of: isOff) { say("off I \($0)") }
                    ZStack {
                        Color.gray
                        if !isGone {
                            Color.mint.onLongPressGesture {
                            } onPressingChanged: { isPressed in
                                say("pressing J \(isPressed)")
                                if isPressed { isGone = true }
                            }
                        }
                    }
                    // The drag changes its own minimum distance.
                    Color.teal.gesture(
                        DragGesture(minimumDistance: isMoved ? 0 : 10)
                            .updating($isMoved) { _, state, _ in state = true }
                            .onEnded { say("drag L \(Int($0.translation.width.rounded()))") }
                    )
                    .onChange(of: isMoved) { say("moved L \($0)") }
                }
                .frame(width: 600, height: 100)
                Color.gray
            }
            .onAppear { say("ready") }
        }
    }
}

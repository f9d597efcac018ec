import DeclarativeUI
import Foundation

extension InputProbe {
    /// Views that are drawn away from their layout position, and invisible views, in rows of 100 points. The red corner
    /// shows that the page is on the screen.
    struct MovedPage: View {
        @State private var knob = 0.0
        var body: some View {
            VStack(spacing: 0) {
                ZStack {
                    Color.gray
                    Rectangle().fill(Color.red).frame(width: 40, height: 40).position(x: 20, y: 20)
                    // The knob of a custom slider.
                    Circle().fill(Color.white).frame(width: 40, height: 40).offset(x: 100 + knob)
                        .highPriorityGesture(
                            DragGesture(minimumDistance: 2)
                                .onChanged { knob = $0.translation.width }
                                .onEnded { say("knob \(Int($0.translation.width))") })
                }
                .frame(width: 600, height: 100)
                HStack(spacing: 0) {
                    ZStack {
                        Color.gray.onTapGesture { say("beside the bar") }
                        Rectangle().fill(Color.orange).frame(width: 90, height: 20).rotationEffect(.degrees(90))
                            .onTapGesture { say("bar") }
                    }
                    .frame(width: 200, height: 100)
                    Button("Scaled") { say("scaled") }.frame(width: 80, height: 30).scaleEffect(2)
                        .frame(width: 200, height: 100)
                    ZStack {
                        Color.blue.onHover { say("hover \($0)") }.frame(width: 60, height: 60).offset(x: 60)
                    }
                    .frame(width: 200, height: 100)
                }
                HStack(spacing: 0) {
                    ZStack {
                        Color.green.onTapGesture { say("behind the ghost") }
                        Button("Ghost") { say("ghost") }.frame(width: 200, height: 100).opacity(0)
                        Color.black.onTapGesture { say("hidden") }.hidden()
                    }
                    .frame(width: 200, height: 100)
                    ZStack {
                        Color.yellow.onTapGesture { say("behind the label") }
                        ZStack { Color.white.onTapGesture { say("never") } }.allowsHitTesting(false)
                    }
                    .frame(width: 200, height: 100)
                    ZStack {
                        Color.pink.onTapGesture { say("behind the cut") }
                        ZStack {
                            Color.purple.onTapGesture { say("cut tap") }.offset(x: 100)
                            Button("Cut") { say("cut button") }.offset(x: 100)
                        }
                        .frame(width: 80, height: 80).clipped()
                    }
                    .frame(width: 200, height: 100)
                }
                Color.clear.frame(height: 100)
            }
            .onAppear { say("ready") }
        }
    }
}

//VTK::System::Dec

// Tubes as thin lines: the level of detail for a moving camera. A vertex is an end of a tube.

uniform samplerBuffer ends;      // per end of a tube: its place, its radius
uniform samplerBuffer colors;    // per end of a tube
uniform isamplerBuffer branches; // per tube; -1: none
uniform usamplerBuffer marks;    // per branch
uniform isamplerBuffer places;   // per end of a tube, where values colour it
uniform usamplerBuffer values;   // per place
uniform samplerBuffer palette;   // per value
uniform int coloredByValues;

uniform mat4 sceneToView;
uniform mat4 viewToClip;
uniform int anySelected;
uniform int hoveredBranch;
uniform float clipDepth;
uniform vec2 fogRange;
uniform float fogStrength;
uniform float dimming;
uniform vec3 backgroundColor;
uniform vec3 selectionColor;

smooth out vec3 lineColor;
smooth out float beyondClip;

vec3 colorOf(int end)
{
  if (coloredByValues == 0)
    return texelFetch(colors, end).rgb;
  return texelFetch(palette, int(texelFetch(values, texelFetch(places, end).r).r)).rgb;
}

void main()
{
  vec4 positionVC = sceneToView * vec4(texelFetch(ends, gl_VertexID).xyz, 1.0);
  int id = texelFetch(branches, gl_VertexID >> 1).r;
  uint mark = id < 0 ? 0u : texelFetch(marks, id).r; // 0 plain, 1 selected, 2 hidden, 3 lit
  float fog = clamp((-positionVC.z - fogRange.x) / (fogRange.y - fogRange.x), 0.0, 1.0) * fogStrength;
  vec3 color = mix(colorOf(gl_VertexID) * 0.85, backgroundColor, fog);
  if (mark == 1u || (id >= 0 && id == hoveredBranch)) {
    color = selectionColor;
  } else if (anySelected != 0) {
    color = mix(backgroundColor, color, dimming);
  }
  lineColor = color;
  beyondClip = -positionVC.z - clipDepth;
  gl_Position = mark == 2u ? vec4(2.0, 2.0, 2.0, 1.0) : viewToClip * positionVC;
}
